// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "check",
    dependencies: [.package(path: "../opcatalog")],
    targets: [
        .testTarget(
            name: "OpcatalogTests",
            dependencies: [.product(name: "Opcatalog", package: "opcatalog"), .product(name: "OpcatalogIDs", package: "opcatalog")])
    ],
    swiftLanguageModes: [.v6]
)
