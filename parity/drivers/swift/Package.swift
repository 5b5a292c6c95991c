// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "driver",
    dependencies: [.package(path: "../opcatalog")],
    targets: [.executableTarget(name: "driver", dependencies: [.product(name: "Opcatalog", package: "opcatalog")])],
    swiftLanguageModes: [.v6]
)
