// What the package says of the small catalog of the tests.
import Foundation
import Opcatalog
import OpcatalogIDs
import Testing

struct SmallTests {
    let small: Catalog
    let ids: [String]

    init() throws {
        small = try Catalog(contentsOf: given("small.json"))
        ids = try JSONDecoder().decode([String].self, from: Data(contentsOf: given("ids.json")))
    }

    @Test func aRowServesTheOperationsOfItsContractsAndNoOther() throws {
        #expect(try small.embedding.find("acme/embed-1")?.id == "acme/embed-1")
        #expect(try small.embedding.find("acme/chat-2") == nil)
        #expect(try small.textGeneration.find("acme/chat") == nil)
        #expect(try small.textGeneration.find("") == nil)
        #expect(try small.textGeneration.find("zzz/zzz") == nil)
        #expect {
            try small.embedding.route(.azure_text_embedding_3_large)
        } throws: { error in
            error.localizedDescription == "there is no route \"azure/text-embedding-3-large\" for embedding in this catalog"
        }
    }

    @Test func iterationIsInTheOrderOfIDs() throws {
        #expect(try small.rows().map { Array($0.id.utf8) } == ids.map { Array($0.utf8) })
        #expect(small.count == ids.count)
        let listed = try OperationName.allCases.flatMap { name in
            switch name {
            case .textGeneration: try small.textGeneration.list().map { $0.id + " \(name)" }
            case .embedding: try small.embedding.list().map { $0.id + " \(name)" }
            case .decisionEvaluation: try small.decisionEvaluation.list().map { $0.id + " \(name)" }
            case .reranking: try small.reranking.list().map { $0.id + " \(name)" }
            case .moderation: try small.moderation.list().map { $0.id + " \(name)" }
            }
        }
        #expect(try listed.sorted() == small.routes().map { "\($0.id) \($0.operation)" }.sorted())
    }

    @Test func aRowOfTwoOperationsHasBothContracts() throws {
        let both = try #require(try small.row("acme/both"))
        #expect(both.operations.names == [.textGeneration, .embedding])
        #expect(both.routes.map(\.operation) == [.textGeneration, .embedding])
        #expect(try small.row("acme/ocr-1")?.listedAs == [.ocr])
        #expect(try small.row("acme/none") == nil)
    }

    @Test func names() throws {
        #expect(try small.textGeneration.alias("small")?.id == "acme/chat-1")
        #expect(try small.embedding.alias("small") == nil)
        #expect(try small.textGeneration.alias("large") == nil)
        #expect(try small.textGeneration.defaultRoute(.runtime)?.id == "acme/chat-2")
        #expect(try small.textGeneration.defaultRoute(.runtime, provider: "nobody") == nil)
        #expect(try small.textGeneration.defaultRoute(.qc) == nil)
        #expect(small.provider("acme")?.name == "Acme")
        #expect(small.provider("nobody") == nil)
    }

    @Test func listsKeepToTheirFilterAndWhatIsUnknownMeetsNone() throws {
        let text = small.textGeneration
        func ids(_ filter: RouteFilter<TextGeneration>) throws -> [String] { try text.list(filter).map(\.id) }
        #expect(try ids(RouteFilter(inputKinds: [.image])) == ["acme/chat-1", "acme/chat-2"])
        #expect(try ids(RouteFilter(provider: "acme", contextTokens: 32001)) == ["acme/chat-2"])
        #expect(try ids(RouteFilter(provider: "acme", support: .documented)) == ["acme/chat-1", "acme/chat-2"])
        #expect(try ids(RouteFilter(provider: "acme", support: .probed)) == [])
        #expect(try ids(RouteFilter(provider: "acme", states: [.deprecated])) == ["acme/chat-1"])
        #expect(try ids(RouteFilter(states: [.ended], at: date("2027-02-01"))) == ["acme/chat-1"])
        #expect(try small.embedding.list(RouteFilter(protocolName: "cohere_embed")) == [])
        #expect(try small.embedding.list(RouteFilter(provider: "other")) == [])
    }

    /// What parity/ asks of every form is not asked again: these are the words that are Swift's own.
    @Test func aQueryThatIsWrongByItselfSaysWhere() throws {
        var query = Query<TextGeneration>()
        query.settings = [WantedSetting("temperature", "hot")]
        #expect { try small.textGeneration.select(query) } throws: { ($0 as? QueryError)?.field == "settings.temperature" }
        query.settings = [WantedSetting("temperature", "1.5")]
        #expect(try small.textGeneration.select(query).map(\.id) == ["acme/chat-1", "acme/chat-2"])
        query.settings = [WantedSetting("temperature", "2.000000000000000000000000000000000000000000001")]
        #expect(try small.textGeneration.select(query) == [])
        query.settings = []
        query.maxUSD = Amount("0.001")
        #expect { try small.textGeneration.select(query) } throws: { ($0 as? QueryError)?.field == "max_usd" }
        query.usage = Usage([.inputToken: 1000])
        #expect(try small.textGeneration.select(query).map(\.id) == ["acme/chat-1"])
        let both = try #require(try small.textGeneration.find("acme/both"))
        let why = try #require(try small.textGeneration.refusal(of: both, for: query))
        #expect(try small.textGeneration.pick("acme/both", for: query) == .refused(why))
    }

    @Test func aLifecycleIsJudgedAtTheAskedMoment() throws {
        let chat = try #require(try small.row("acme/chat-1"))
        func state(_ text: String) throws -> LifecycleState { chat.state(at: try date(text)) }
        #expect(try state("2026-11-30") == .deprecated)
        #expect(try state("2027-01-30T23:59:59.999Z") == .deprecated)
        #expect(try state("2027-01-31T00:59:59+01:00") == .deprecated)
        #expect(try state("2027-01-31T01:00:00+01:00") == .ended)
        #expect(try state("2027-01-31") == .ended)
    }

    @Test func costsAreExactAndUnknownSaysWhy() throws {
        let chat = try #require(try small.textGeneration.find("acme/chat-2"))
        let usage = Usage([.inputToken: 3, .reasoningToken: 9_007_199_254_740_993])
        let receipt = chat.cost(of: usage)
        #expect(receipt.usd?.description == "72057594037.92795") // 3 * 2 / 10^6 + 9007199254740993 * 8 / 10^6
        #expect(receipt.usd?.decimal == Decimal(string: "72057594037.92795"))
        #expect(receipt.lines[1].pricedAs == .outputToken)
        let unknown = chat.cost(of: Usage(usage.lines + [UsageLine(.page, 1)]))
        #expect(unknown.usd == nil)
        #expect(unknown.statedUSD == receipt.usd)
        #expect(unknown.lines[2].unknown == .notPriced)
        #expect(chat.cost(of: Usage([])).unknown == .noUsage)
        let free = try #require(try small.embedding.find("acme/embed-1"))
        #expect(free.cost(of: Usage([.inputToken: 5])).usd == .zero)
        let most = chat.cost(of: Usage([.inputToken: .max, .outputToken: .max]))
        #expect(most.usd?.description == "92233720368547.75807")
        #expect(most.nanoUSD == nil) // more than 64 bits hold
    }

    @Test func pricesAreTheirDigits() throws {
        #expect(try small.row("acme/chat-1")?.price?.map(\.usdPerMillion) == [Decimal(string: "0.5"), Decimal(string: "1.5")])
        guard case .rules(let rules) = try small.textGeneration.find("acme/chat-2")?.contract.settings?.temperature else {
            Issue.record("temperature has no rules")
            return
        }
        #expect(rules.map(\.max) == [2])
    }

    @Test func idsAreTheirWireStringsWhateverTheyHold() throws {
        for id in ids {
            let row = try #require(try small.row(id))
            #expect(Array(row.id.utf8) == Array(id.utf8))
        }
        // To Swift's strings these two are equal.
        let composed = "p/\u{e9}"
        let decomposed = "p/e\u{301}"
        #expect(composed == decomposed)
        let routes = try [composed, decomposed].map { try #require(try small.embedding.find($0)) }
        #expect(Set(routes).count == 2)
        #expect(routes.map { Array($0.id.utf8) } == [Array(composed.utf8), Array(decomposed.utf8)])
    }

    @Test func whatIsNoCatalogIsSaid() throws {
        for text in ["", "{}", "[1, 2]", "{\n\"models\":[", "{\n\"models\":[\n{\"id\":\"a\n]}"] {
            #expect(throws: CatalogError.self, "\(text)") { try Catalog(Data(text.utf8)) }
        }
        let text = try String(contentsOf: given("small.json"), encoding: .utf8)
        #expect(throws: CatalogError.self) { try Catalog(Data(text.replacingOccurrences(of: "opcat.catalog@1", with: "opcat.catalog@2").utf8)) }
        let broken = try Catalog(Data(text.replacingOccurrences(of: "\"usd_per_million\":\"0.5\"", with: "\"usd_per_million\":0.5").utf8))
        #expect(throws: CatalogError.self) { try broken.row("acme/chat-1") }
        #expect(try broken.row("acme/chat-2") != nil)
    }

    /// Each constant stands for the id that it is made of; Constants.swift lists them.
    @Test func constantsAreTheirIDs() {
        #expect(constants.count == ids.filter { $0.hasPrefix("p/") || $0.hasPrefix("q/") }.count)
        for (constant, id) in constants {
            #expect(Array(constant.text.utf8) == Array(id.utf8))
        }
    }

    @Test func manyTasksMayAskAtOnce() async throws {
        let small = small
        let found = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask { try small.rows().count + small.embedding.list().count }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(found.count == 1)
    }
}
