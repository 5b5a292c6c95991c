// What a user writes, and what must compile.
import Foundation
import Opcatalog
import OpcatalogIDs

func embed(_ model: Route<Embedding>, _ text: String) {}

func right() throws {
    let catalog = try Catalog.bundled()
    let found = try catalog.embedding.find("acme/embed-1") ?? catalog.embedding.route(.acme_embed_1)
    embed(found, "hello")
    for route in try catalog.embedding.list(RouteFilter(provider: "acme", inputKinds: [.text], support: .documented, states: [.active])) {
        embed(route, route.row.name ?? route.id)
    }
    let dimensions: Int = found.contract.dimensions.default
    let receipt = found.cost(of: Usage([.inputToken: 12_000]), in: Call(serviceTier: .batch, at: Date()))
    let usd: Amount? = receipt.usd // unknown is not zero
    print(dimensions, usd?.decimal ?? receipt.lines.compactMap(\.unknown))

    // The operation tells the contract's type.
    for route in try catalog.routes() {
        switch route {
        case .textGeneration(let chat): print(chat.contract.settings?.temperature ?? .refused)
        case .embedding(let vector): print(vector.contract.dimensions.default)
        case .decisionEvaluation(let judge): print(judge.contract.questionKinds)
        case .reranking(let ranker): print(ranker.contract.scoreRange as Any)
        case .moderation(let filter): print(filter.contract.flagged as Any)
        }
    }

    // A word that is none is not what nobody stated.
    if try catalog.textGeneration.find("acme/chat-2")?.contract.cache?.breakpoint == .none_ { return }

    var query = Query<TextGeneration>()
    query.inputs = [.text, .image]
    query.settings = [WantedSetting("effort", "high"), WantedSetting("response_schema", true)]
    query.usage = Usage([.inputToken: 3000, .outputToken: 1000])
    query.prefer = [.price, .context]
    for route in try catalog.textGeneration.select(query) {
        print(route, try catalog.textGeneration.refusal(of: route, for: query)?.code ?? .unknownRoute)
    }

    // A function over any operation.
    func cheapest<Op>(_ routes: OperationCatalog<Op>, for usage: Usage) throws -> Route<Op>? {
        try routes.list().compactMap { route in route.cost(of: usage).usd.map { (route, $0) } }.min { $0.1 < $1.1 }?.0
    }
    let chat: Route<TextGeneration>? = try cheapest(catalog.textGeneration, for: Usage([.inputToken: 1]))
    let both = try cheapest(catalog.routes(of: Reranking.self), for: Usage([.searchUnit: 1]))
    Task { print(chat?.id ?? "", both?.id ?? "") }
}
