// Answers the questions of a file with the package beside this one.
import Foundation
import Opcatalog

struct Failure: Error, CustomStringConvertible {
    let description: String
}

struct Asked: Decodable {
    let questions: [Question]
}

struct Question: Decodable {
    let id: String
    let kind: String
    let operation: String?
    let row: String?
    let name: String?
    let purpose: Purpose?
    let provider: String?
    let at: String?
    let meter: String?
    let usage: AskedUsage?
    let call: [String: String]?
    let input_tokens: Int?
    let inputs: [String]?
    let outputs: [String]?
    let questions: [String]?
    let settings: [Setting]?
    let tools: Bool?
    let structured: Bool?
    let dimensions: Int?
    let min_context: Int?
    let min_output: Int?
    let providers: [String]?
    let region: String?
    let support: String?
    let lifecycle: String?
    let no_training: Bool?
    let retention: String?
    let max_usd: String?
    let prefer: [String]?
    let provider_order: [String]?
    let limit: Int?

    struct Setting: Decodable {
        let name: String
        let value: JSON?
    }
}

struct AskedUsage: Decodable {
    let lines: [Line]?
    let unknown: [String]?

    struct Line: Decodable {
        let meter: String
        let count: Int
        let tool: String?
        let cache_lifetime: String?
    }
}

func need<Value>(_ value: Value?, _ what: String) throws -> Value {
    guard let value else { throw Failure(description: "it has no \(what)") }
    return value
}

func known<Word: RawRepresentable<String>>(_ text: String) throws -> Word {
    try need(Word(rawValue: text), "\(Word.self) called \(text)")
}

func moment(_ text: String) throws -> Date { try need(DateText(text), "date \(text)").date }

func call(of question: Question) throws -> Call {
    let said = question.call ?? [:]
    return Call(
        serviceTier: try said["service_tier"].map(known), cacheLifetime: said["cache_lifetime"], region: said["region"], variant: said["variant"],
        at: try said["at"].map(moment))
}

func usage(of asked: AskedUsage?) throws -> Usage {
    let asked = try need(asked, "usage")
    return Usage(
        try (asked.lines ?? []).map { UsageLine(try known($0.meter), $0.count, cacheLifetime: $0.cache_lifetime, tool: $0.tool) },
        unknown: try (asked.unknown ?? []).map(known))
}

/// Answers that are of no operation.
func answer(_ question: Question, _ catalog: Catalog) throws -> Any? {
    switch question.kind {
    case "catalog":
        switch try need(question.name, "name") {
        case "as_of": return catalog.asOf.text
        case "rows": return catalog.count
        case "providers": return catalog.facts.providers.count
        case let other: throw Failure(description: "a catalog has no \(other)")
        }
    case "operations":
        return try catalog.row(need(question.row, "row"))?.operations.names.map(\.rawValue)
    case "fact":
        return try catalog.row(need(question.row, "row")).flatMap { fact(try need(question.name, "name"), of: $0) }
    case "state":
        return try catalog.row(need(question.row, "row"))?.state(at: moment(need(question.at, "at"))).rawValue
    default:
        guard let operation = question.operation.flatMap(OperationName.init) else { return ["wrong": "UNKNOWN_OPERATION"] }
        switch operation {
        case .textGeneration: return try answer(question, catalog.textGeneration)
        case .embedding: return try answer(question, catalog.embedding)
        case .decisionEvaluation: return try answer(question, catalog.decisionEvaluation)
        case .reranking: return try answer(question, catalog.reranking)
        case .moderation: return try answer(question, catalog.moderation)
        }
    }
}

func fact(_ name: String, of row: Row) -> Any? {
    switch name {
    case "provider": row.provider
    case "wire_model": row.wireModel
    case "logical_model": row.logicalModel
    case "snapshot": row.snapshot
    case "selects": row.selects
    case "successor": row.lifecycle?.successor
    case "ends_on": row.lifecycle?.endsOn?.text
    case "announced_end": row.lifecycle?.announcedEnd?.text
    case "context_tokens": row.limits?.contextTokens
    case "input_tokens": row.limits?.inputTokens
    case "output_tokens": row.limits?.outputTokens
    default: nil
    }
}

func answer<Op>(_ question: Question, _ routes: OperationCatalog<Op>) throws -> Any? {
    func route() throws -> Route<Op>? { try routes.find(need(question.row, "row")) }
    switch question.kind {
    case "routes": return try routes.list().map(\.id)
    case "serves": return try route() != nil
    case "contract": return try route().flatMap { member(try need(question.name, "name"), of: $0.contract) }
    case "setting": return try route().map { setting(try need(question.name, "name"), of: $0.contract) }
    case "alias": return try routes.alias(need(question.name, "name"))?.id
    case "default": return try routes.defaultRoute(need(question.purpose, "purpose"), provider: question.provider ?? "any")?.id
    case "price":
        var call = try call(of: question)
        call.operation = Op.operation
        let rate = try (need(route(), "route").row.price ?? []).rate(of: known(need(question.meter, "meter")), in: call, inputTokens: question.input_tokens ?? 0)
        if let why = rate.unknown { return ["unknown": why.rawValue] }
        let price = try need(rate.price, "price")
        if let million = price.usdPerMillion { return ["usd_per_million": million.description] }
        return ["usd_per_unit": try need(price.usdPerUnit, "amount").description]
    case "cost":
        let receipt = try need(route(), "route").cost(of: usage(of: question.usage), in: call(of: question))
        if let usd = receipt.usd { return ["usd": usd.description] }
        let unknown = receipt.lines.compactMap { line in line.unknown.map { (line.meter.rawValue, $0.rawValue) } }
        return ["stated_usd": receipt.statedUSD.description, "unknown": Dictionary(unknown) { _, last in last }] as [String: Any]
    case "select":
        return try asked(question) { query in try routes.select(query).map(\.id) }
    case "refusal":
        return try asked(question) { (query: Query<Op>) in
            switch try routes.pick(need(question.name, "name"), for: query) {
            case .route(let route): return ["row": route.id]
            case .refused(let why):
                let tellsField: [Refusal.Code] = [.unsupportedOptions, .limitExceeded, .constraintUnmet]
                return tellsField.contains(why.code) ? ["code": why.code.rawValue, "field": why.field] : ["code": why.code.rawValue]
            }
        }
    default: throw Failure(description: "no driver knows the kind \(question.kind)")
    }
}

/// A word that a query's types have no place for: the query is wrong by itself.
struct NoWord: Error {}

func asked<Op>(_ question: Question, _ ask: (Query<Op>) throws -> Any) throws -> Any {
    do {
        return try ask(query(of: question))
    } catch is QueryError {
        return ["wrong": "INVALID_QUERY"]
    } catch is NoWord {
        return ["wrong": "INVALID_QUERY"]
    }
}

func words<Word: RawRepresentable<String>>(_ texts: [String]?) throws -> [Word] {
    try (texts ?? []).map { text in
        guard let word = Word(rawValue: text) else { throw NoWord() }
        return word
    }
}

func word<Word: RawRepresentable<String>>(_ text: String?) throws -> Word? {
    guard let text, !text.isEmpty else { return nil }
    let one: [Word] = try words([text])
    return one[0]
}

func query<Op>(of question: Question) throws -> Query<Op> {
    var query = Query<Op>()
    query.inputs = try words(question.inputs)
    query.outputs = try words(question.outputs)
    query.questions = try words(question.questions)
    query.settings = try (question.settings ?? []).map { setting in
        switch setting.value {
        case nil: WantedSetting(setting.name)
        case .text(let text): WantedSetting(setting.name, .text(text))
        case .bool(let bool): WantedSetting(setting.name, .bool(bool))
        default: throw NoWord()
        }
    }
    query.tools = question.tools ?? false
    query.structured = question.structured ?? false
    query.dimensions = question.dimensions
    query.minContext = question.min_context
    query.minOutput = question.min_output
    query.providers = question.providers ?? []
    query.region = question.region
    query.support = try word(question.support)
    query.lifecycle = try word(question.lifecycle)
    query.noTraining = question.no_training ?? false
    query.retention = try word(question.retention)
    query.moment = try question.at.map(moment)
    if let usage = question.usage {
        query.usage = Usage(
            try (usage.lines ?? []).map { line in
                guard let meter = Meter(rawValue: line.meter) else { throw NoWord() }
                return UsageLine(meter, line.count, cacheLifetime: line.cache_lifetime, tool: line.tool)
            }, unknown: try words(usage.unknown))
    }
    if let most = question.max_usd {
        guard let amount = Amount(most) else { throw NoWord() }
        query.maxUSD = amount
    }
    query.prefer = try words(question.prefer)
    query.providerOrder = question.provider_order ?? []
    query.limit = question.limit ?? 0
    return query
}

/// The words of a contract are those of its JSON.
func member(_ name: String, of contract: some OperationContract) -> Any? {
    if name == "protocols" { return contract.protocolNames }
    if name == "support" { return contract.support?.rawValue }
    let said = table(contract)
    return name == "dimensions" ? (said[name] as? [String: Any])?["default"] : said[name]
}

func setting(_ name: String, of contract: some OperationContract) -> String {
    switch (table(contract)["settings"] as? [String: Any])?[name] {
    case nil: "unknown"
    case let word as String: word
    default: "ruled"
    }
}

func table(_ value: some Encodable) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any]) ?? [:]
}

let asked = try JSONDecoder().decode(Asked.self, from: Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])))
let catalog = try Catalog.bundled()
var answers: [[String: Any]] = []
for question in asked.questions {
    do {
        answers.append(["id": question.id, "answer": try answer(question, catalog) ?? NSNull()])
    } catch {
        throw Failure(description: "\(question.id): \(error)")
    }
}
try FileHandle.standardOutput.write(contentsOf: JSONSerialization.data(withJSONObject: ["answers": answers]))
