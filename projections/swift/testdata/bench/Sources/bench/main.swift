// Says what a first look-up takes: bench WHAT FILE.
import Foundation
import Opcatalog

func used() -> Int {
    var usage = rusage()
    getrusage(0, &usage)  // of this process: the name of it has another type on each system
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
}

func resident() -> Int {
    var usage = rusage()
    getrusage(0, &usage)  // of this process: the name of it has another type on each system
    return Int(usage.ru_maxrss)
}

let file = URL(fileURLWithPath: CommandLine.arguments[2])
let clock = ContinuousClock()
let before = used()
let wall = try clock.measure {
    switch CommandLine.arguments[1] {
    case "lookup":
        let route = try Catalog(contentsOf: file).textGeneration.find("vendor-0000/model-00001")
        guard route?.cost(of: Usage([.inputToken: 1])).usd?.description == "0.0000012" else { exit(1) }
    case "list":
        let routes = try Catalog(contentsOf: file).textGeneration.list(RouteFilter(contextTokens: 1))
        guard !routes.isEmpty else { exit(1) }
    default:
        break
    }
}
print("wall-us", Int(wall / .microseconds(1)))
print("cpu-us", used() - before)
print("peak-KiB", resident())
