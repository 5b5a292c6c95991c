package main

import (
	"bytes"
	"fmt"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/compile/form"
	"github.com/opcat/opcat/internal/typenames"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/operations/op"
	"github.com/opcat/opcat/projections/swift/identifier"
)

// registry renders what the Go packages know of operations, meters and protocols.
func registry() []byte {
	var b bytes.Buffer
	b.WriteString(header)
	names := operations.Names()
	b.WriteString("/// The operations of the registry. Foundation has an Operation of its own.\npublic enum OperationName: String, Codable, CaseIterable, Sendable {\n")
	b.WriteString(cases(names, identifier.Unique(names, identifier.Member), "    "))
	b.WriteString("}\n\n/// How well a contract is evidenced, weakest first.\npublic enum Support: String, Codable, CaseIterable, Sendable {\n")
	b.WriteString(cases(op.Supports, identifier.Unique(op.Supports, identifier.Member), "    "))
	b.WriteString("}\n")
	for _, o := range operations.All() {
		member(&b, o)
	}
	purposes(&b)
	anyRoute(&b, names)
	contracts(&b)
	meters(&b)
	lifetimes(&b)
	return b.Bytes()
}

// member renders the type that stands for an operation.
func member(b *bytes.Buffer, o *op.Operation) {
	name, property := typenames.Camel(o.Name), identifier.Member(o.Name)
	fmt.Fprintf(b, "\n/// %s: %s\npublic enum %s: OperationMember {\n", o.Name, o.Summary, name)
	fmt.Fprintf(b, "    public typealias Contract = %sContract\n    public static var operation: OperationName { .%s }\n", name, property)
	fmt.Fprintf(b, "    public static func contract(of row: Row) -> Contract? { row.operations.%s }\n", property)
	fmt.Fprintf(b, "    public static func target(of alias: Alias) -> AliasTarget? { alias.%s }\n", property)
	fmt.Fprintf(b, "    public static func routes(of defaults: Defaults, for purpose: Purpose) -> [String: String]? {\n        switch purpose {\n")
	for _, p := range purposesOf(o.Name) {
		fmt.Fprintf(b, "        case .%s: defaults.%s?.%s\n", identifier.Member(p), property, identifier.Member(p))
	}
	b.WriteString("        }\n    }\n}\n")
	fmt.Fprintf(b, "\nextension %sContract: OperationContract {\n    public var protocolNames: [String] { `protocol`.map(\\.%s) }\n    public var support: Support? { evidence?.support }\n}\n",
		name, map[bool]string{false: "rawValue", true: "name"}[o.ManyWires])
	if o.ManyWires {
		fmt.Fprintf(b, "\nextension %sContract.ProtocolWord {\n    /// The protocol, whatever its condition.\n    public var name: String {\n        switch self {\n", name)
		for _, p := range o.ProtocolNames() {
			fmt.Fprintf(b, "        case .%s: %s\n", identifier.Member(p), quoted(p))
		}
		b.WriteString("        case .table(let conditional): conditional.protocol.rawValue\n        }\n    }\n}\n")
	}
	fmt.Fprintf(b, "\nextension Catalog {\n    /// The routes of %s.\n    public var %s: OperationCatalog<%s> { OperationCatalog(catalog: self) }\n}\n", o.Name, property, name)
}

// purposesOf are the uses for which an operation has default routes.
func purposesOf(operation string) []string {
	return form.Document().Must("defaults").Type.Table.Must(operation).Type.Table.Names()
}

func purposes(b *bytes.Buffer) {
	words := purposesOf(operations.Names()[0])
	b.WriteString("\n/// What a default route is for.\npublic enum Purpose: String, Codable, CaseIterable, Sendable {\n")
	b.WriteString(cases(words, identifier.Unique(words, identifier.Member), "    "))
	b.WriteString("}\n")
}

// anyRoute renders the routes whose operation is known when the program runs.
func anyRoute(b *bytes.Buffer, names []string) {
	b.WriteString("\n/// A route of any operation; its case tells which, and with it the type of its contract.\npublic enum AnyRoute: Hashable, Sendable {\n")
	for _, name := range names {
		fmt.Fprintf(b, "    case %s(Route<%s>)\n", identifier.Member(name), typenames.Camel(name))
	}
	each := func(head, of string) {
		fmt.Fprintf(b, "\n    public var %s {\n        switch self {\n", head)
		for _, name := range names {
			fmt.Fprintf(b, "        case .%s(let route): route.%s\n", identifier.Member(name), of)
		}
		b.WriteString("        }\n    }\n")
	}
	each("id: String", "id")
	each("row: Row", "row")
	each("operation: OperationName", "operation")
	b.WriteString("}\n\nextension Row {\n    /// The routes of this row: one for each of its contracts.\n    public var routes: [AnyRoute] {\n        var all: [AnyRoute] = []\n")
	for _, name := range names {
		fmt.Fprintf(b, "        if let route = Route<%s>(self) { all.append(.%s(route)) }\n", typenames.Camel(name), identifier.Member(name))
	}
	b.WriteString("        return all\n    }\n}\n")
}

// contracts renders which operations a row's contracts are for.
func contracts(b *bytes.Buffer) {
	b.WriteString("\nextension RowContracts {\n    /// The operations of the contracts.\n    public var names: [OperationName] {\n        var all: [OperationName] = []\n")
	for _, name := range operations.Names() {
		fmt.Fprintf(b, "        if %s != nil { all.append(.%s) }\n", identifier.Member(name), identifier.Member(name))
	}
	b.WriteString("        return all\n    }\n}\n")
}

func meters(b *bytes.Buffer) {
	b.WriteString("\n/// What is counted.\npublic enum Meter: String, Codable, CaseIterable, Sendable {\n")
	b.WriteString(cases(catalog.Meters(), identifier.Unique(catalog.Meters(), identifier.Member), "    "))
	which := func(doc, head string, is func(string) bool) {
		fmt.Fprintf(b, "\n    /// %s\n    public var %s: Bool {\n        switch self {\n        case ", doc, head)
		between := ""
		for _, m := range catalog.Meters() {
			if is(m) {
				fmt.Fprintf(b, "%s.%s", between, identifier.Member(m))
				between = ", "
			}
		}
		b.WriteString(": true\n        default: false\n        }\n    }\n")
	}
	which("Whether its price is of a million.", "isPricedByMillion", func(name string) bool { m, _ := catalog.LookupMeter(name); return m.Million })
	which("Whether it counts tokens of input, cached ones too.", "isInput", typenames.CountsInput)
	b.WriteString("\n    /// The meter whose price it takes where it has none of its own.\n    public var lender: Meter? {\n        switch self {\n")
	for _, m := range catalog.Meters() {
		if lender := typenames.Lender(m); lender != "" {
			fmt.Fprintf(b, "        case .%s: .%s\n", identifier.Member(m), identifier.Member(lender))
		}
	}
	b.WriteString("        default: nil\n        }\n    }\n}\n")
}

func lifetimes(b *bytes.Buffer) {
	b.WriteString("\n/// The cache lifetime that a protocol has where a call names none.\nlet cacheLifetimes: [String: String] = [\n")
	seen := map[string]bool{}
	for _, o := range operations.All() {
		for _, p := range o.Protocols {
			if p.CacheLifetime != "" && !seen[p.Name] {
				seen[p.Name] = true
				fmt.Fprintf(b, "    %s: %s,\n", quoted(p.Name), quoted(p.CacheLifetime))
			}
		}
	}
	b.WriteString("]\n")
}
