// What must not compile: each marked line is an error that says what stands behind it, and no other line is one.
import Foundation
import Opcatalog
import OpcatalogIDs

func chat(_ model: Route<TextGeneration>) {}
func embed(_ model: Route<Embedding>) {}

func exact(_ price: Price) {
    let rough: Double? = price.usdPerMillion  // error: cannot convert value of type 'Decimal?' to specified type 'Double?'
    print(rough ?? 0)
}

func wrong(_ catalog: Catalog, _ judge: Route<DecisionEvaluation>, _ vector: Route<Embedding>, _ any: AnyRoute) throws {
    chat(judge)  // error: cannot convert value of type 'Route<DecisionEvaluation>' to expected argument type 'Route<TextGeneration>'
    chat(vector)  // error: cannot convert value of type 'Route<Embedding>' to expected argument type 'Route<TextGeneration>'
    chat(any)  // error: cannot convert value of type 'AnyRoute' to expected argument type 'Route<TextGeneration>'
    chat("acme/chat-2")  // error: cannot convert value of type 'String' to expected argument type 'Route<TextGeneration>'
    _ = try catalog.embedding.find("acme/chat-2").map(chat)  // error: cannot convert value of type '@Sendable (Route<TextGeneration>) -> ()' to expected argument type '(Route<Embedding>) -> ()'
    try embed(catalog.decisionEvaluation.list()[0])  // error: cannot convert value of type 'Route<DecisionEvaluation>' to expected argument type 'Route<Embedding>'
    _ = vector.contract.questionKinds  // error: value of type 'Embedding.Contract' (aka 'EmbeddingContract') has no member 'questionKinds'
    _ = try catalog.embedding.route(.acme_chat_2)  // error: type 'RouteID<Embedding>' has no member 'acme_chat_2'
    _ = try catalog.embedding.list(RouteFilter(inputKinds: [.vector]))  // error: has no member 'vector'
    let total: Decimal = vector.cost(of: Usage([.inputToken: 1])).usd  // error: cannot convert value of type 'Amount?' to specified type 'Decimal'
    _ = try catalog.textGeneration.refusal(of: judge)  // error: cannot convert value of type 'Route<DecisionEvaluation>' to expected argument type 'Route<TextGeneration>'
    vector.id = "acme/embed-2"  // error: cannot assign to property: 'id' is a get-only property
    print(total)
}
