// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "bench",
    dependencies: [.package(path: "../opcatalog")],
    targets: [.executableTarget(name: "bench", dependencies: [.product(name: "Opcatalog", package: "opcatalog")])],
    swiftLanguageModes: [.v6]
)
