import Foundation
import Opcatalog
import Testing

/// A file that the Go test wrote.
func given(_ name: String) throws -> URL {
    let folder = try #require(ProcessInfo.processInfo.environment["OPCAT_GIVEN"])
    return URL(fileURLWithPath: folder).appendingPathComponent(name)
}

func date(_ text: String) throws -> Date { try #require(DateText(text)).date }

/// A text of JSON as a value that can be compared.
func value(_ text: Data) throws -> NSObject {
    try #require(JSONSerialization.jsonObject(with: text) as? NSObject)
}
