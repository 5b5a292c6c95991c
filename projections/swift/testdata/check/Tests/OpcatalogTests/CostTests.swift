// Every question of the file that the Go test wrote has in Swift the answer that Go gave.
import Foundation
import Opcatalog
import Testing

// The questions write an exact number as text too.
extension KeyedDecodingContainer {
    func decodeIfPresent(_ type: Decimal.Type, forKey key: Key) throws -> Decimal? {
        try decodeIfPresent(String.self, forKey: key).flatMap { Decimal(string: $0) }
    }
}

private struct Question: Decodable {
    let prices: [Price]
    let usage: Asked
    let call: [String: String]
    let want: Answer

    struct Asked: Decodable {
        let lines: [[String: String]]
        let unknown: [Meter]?
    }
}

/// A receipt without what it only repeats of the question.
private struct Answer: Decodable, Equatable {
    var lines: [Line]
    var usd: String?
    var stated_usd: String
    var nano_usd: String?
    var unknown: Why?

    struct Line: Decodable, Equatable {
        var meter: Meter
        var cache_lifetime: String?
        var tool: String?
        var priced_as: Meter?
        var usd_per_million: Decimal?
        var usd_per_unit: Decimal?
        var usd: String?
        var unknown: Why?
        var free_units_per_month: Int?
    }

    init(_ receipt: Receipt) {
        lines = receipt.lines.map { line in
            Line(
                meter: line.meter, cache_lifetime: line.cacheLifetime, tool: line.tool, priced_as: line.pricedAs,
                usd_per_million: line.price?.usdPerMillion, usd_per_unit: line.price?.usdPerUnit,
                usd: line.usd?.description, unknown: line.unknown, free_units_per_month: line.price?.freeUnitsPerMonth)
        }
        usd = receipt.usd?.description
        stated_usd = receipt.statedUSD.description
        nano_usd = receipt.nanoUSD?.description
        unknown = receipt.unknown
    }
}

struct CostTests {
    @Test func costsAreThoseOfGo() throws {
        let questions = try JSONDecoder().decode([Question].self, from: Data(contentsOf: given("questions.json")))
        #expect(questions.count > 3000)
        var wrong = 0
        for question in questions {
            let lines = try question.usage.lines.map { line in
                UsageLine(
                    try #require(line["meter"].flatMap(Meter.init)), try #require(line["count"].flatMap { Int($0) }),
                    cacheLifetime: line["cache_lifetime"], tool: line["tool"])
            }
            let said = question.call
            let call = Call(
                operation: said["operation"].flatMap(OperationName.init), serviceTier: said["service_tier"].flatMap(Price.ServiceTier.init),
                cacheLifetime: said["cache_lifetime"], region: said["region"], variant: said["variant"], at: try said["at"].map(date))
            let got = Answer(question.prices.cost(of: Usage(lines, unknown: question.usage.unknown ?? []), in: call))
            if got != question.want {
                wrong += 1
                if wrong <= 3 { Issue.record("\(got)\nis not\n\(question.want)\nfor \(question.prices)\n\(question.usage)\n\(question.call)") }
            }
        }
        #expect(wrong == 0)
    }

    @Test func amountsAreExactHoweverLarge() throws {
        let texts = ["0", "1", "0.000000000000000000000001", "340282366920938463463.374607431768211457", "99999999999999999999999999999999999999.000000000000000000000001"]
        for text in texts {
            #expect(Amount(text)?.description == text)
        }
        #expect(Amount("1.50")?.description == "1.5")
        #expect(Amount("007")?.description == "7")
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", " 1", "0.0000000000000000000000001", "١"] {
            #expect(Amount(text) == nil, "\(text)")
        }
        #expect(try #require(Amount("0.1")) + #require(Amount("0.2")) == #require(Amount("0.3")))
        #expect(try #require(Amount("18446744073709551615.999999999999999999999999")) + #require(Amount("0.000000000000000000000001")) == #require(Amount("18446744073709551616")))
        #expect(try #require(Amount("2")) < #require(Amount("10")))
        #expect(Amount("99999999999999999999999999999999999999.1")?.decimal == nil)
        #expect(Amount("12345678901234567890.123456789012345678")?.decimal == Decimal(string: "12345678901234567890.123456789012345678"))
        #expect(Amount("0.0000000001")?.nanoUSD == 1)
        #expect(Amount("9223372036.854775807")?.nanoUSD == .max)
        #expect(Amount("9223372036.8547758071")?.nanoUSD == nil)
    }

    @Test func momentsAreReadStrictly() {
        #expect(DateText("1970-01-01")?.date.timeIntervalSince1970 == 0)
        #expect(DateText("2000-03-01")?.date.timeIntervalSince1970 == 951_868_800)
        #expect(DateText("2024-02-29T23:59:59Z")?.date.timeIntervalSince1970 == 1_709_251_199)
        #expect(DateText("2026-11-30T09:00:00+05:30")?.date.timeIntervalSince1970 == 1_796_009_400)
        for text in ["", "tomorrow", "2026-11-31", "2025-02-29", "1900-02-29", "2026-13-01", "2026-11-30T09:00:00", "2026-11-30T24:00:00Z", "2026-11-30T09:00:00.Z", "2026-11-30 ", "2026-11-30T09:00:00ZZ"] {
            #expect(DateText(text) == nil, "\(text)")
        }
    }
}
