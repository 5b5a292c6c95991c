// What the package says of its own catalog, and of a made-up one that says everything that a catalog can.
import Foundation
import Opcatalog
import OpcatalogIDs
import Testing

struct BundledTests {
    @Test func theBundledCatalogIsRead() throws {
        let catalog = try Catalog.bundled()
        #expect(catalog.count > 500)
        #expect(Catalog.bundledDigest.hasPrefix("sha256:"))
        #expect(try catalog.embedding.route(.azure_text_embedding_3_large).contract.dimensions.default == 3072)
        #expect(try catalog.decisionEvaluation.list().count > 10)
    }

    /// What is read and written again is what stood there: nothing is left out and no digit is lost.
    @Test(arguments: ["bundled.json", "everything.json"])
    func nothingIsLost(_ name: String) throws {
        let text = try Data(contentsOf: given(name))
        let catalog = try Catalog(text)
        var members = try #require(JSONSerialization.jsonObject(with: text) as? [String: NSObject])
        let said = try #require(members.removeValue(forKey: "models") as? [NSObject])
        #expect(said.count == catalog.count)
        for (row, said) in zip(try catalog.rows(), said) {
            #expect(try value(JSONEncoder().encode(row)) == said, "\(row.id)")
        }
        #expect(try value(JSONEncoder().encode(catalog.facts)) == members as NSObject)
    }

    @Test func aRowIsReadFromWhatItWrites() throws {
        let row = try #require(try Catalog.bundled().rows().first)
        #expect(try JSONDecoder().decode(Row.self, from: JSONEncoder().encode(row)) == row)
    }
}
