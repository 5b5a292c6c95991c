package ts

import (
	"fmt"
	"strings"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/internal/canon"
	"github.com/opcat/opcat/operations"
	"github.com/opcat/opcat/projections/emit"
)

// manifest is package.json: an entry for each operation beside the whole catalog.
func manifest(c *catalog.Catalog) emit.File {
	var exports strings.Builder
	for _, name := range append([]string{"index", "closed", "select"}, operations.Names()...) {
		path := "./" + name
		if name == "index" {
			path = "."
		}
		fmt.Fprintf(&exports, "    %q: { \"types\": \"./%s.d.ts\", \"default\": \"./%s.js\" },\n", path, name, name)
	}
	return emit.File{Path: "package.json", Data: fmt.Appendf(nil, `{
  "name": "opcatalog",
  "version": %q,
  "description": "Models by operation: which route may do it, with which settings, at which exact price",
  "license": "Apache-2.0",
  "type": "module",
  "sideEffects": false,
  "engines": { "node": ">=20.10" },
  "exports": {
%s    "./package.json": "./package.json"
  },
  "imports": {
    "#data/*": { "node": "./data/*.node.js", "default": "./data/*.web.js" }
  },
  "opcat": { "digest": %q, "as_of": %q }
}
`, version(c), exports.String(), c.Digest(), catalog.DateOf(c.AsOf()))}
}

// entry is the module of one operation.
func entry(name string) []emit.File {
	return []emit.File{
		source(name+".js", "import index from \"#data/index\";\nimport data from \"#data/%s\";\nimport { openOperation } from \"./operation.js\";\n\n"+
			"export const %s = openOperation(%q, data, index);\n", name, name, name),
		declarations(name+".d.ts", "import type { OperationCatalog } from \"./operation.js\";\n\n"+
			"/** The routes of %s. */\nexport declare const %s: OperationCatalog<%q>;\n", name, name, name),
	}
}

// all is the module that lists the operations for the whole catalog.
func all() emit.File {
	return source("operations.js", "%s\nexport const catalogs = Object.freeze({ %s });\n", imports(), strings.Join(operations.Names(), ", "))
}

// imports are the lines that give a module every operation.
func imports() string {
	var b strings.Builder
	for _, name := range operations.Names() {
		fmt.Fprintf(&b, "import { %s } from \"./%s.js\";\n", name, name)
	}
	return b.String()
}

// closed is the module of the ids that are known when a program is written.
func closed() emit.File {
	var members strings.Builder
	for _, name := range operations.Names() {
		fmt.Fprintf(&members, "  %s: (id) => known(%s, id),\n", name, name)
	}
	return source("closed.js", `// @ts-check

%s
/**
 * @template {import("./types.js").Operation} Op
 * @param {import("./operation.js").OperationCatalog<Op>} of
 * @param {string} id
 */
function known(of, id) {
  const found = of.find(id);
  if (!found) throw new RangeError(%s);
  return found;
}

/** @type {typeof import("./closed.js").route} */
export const route = Object.freeze({
%s});
`, imports(), "`there is no route ${JSON.stringify(id)} for ${of.operation} in this catalog`", members.String())
}

// closedTypes are its types: a union of ids for each operation, looked up by the
// operation's name, and never one of all ids. A function for any operation would make
// the compiler build that one for its parameter, so each operation has its own.
func closedTypes(c *catalog.Catalog) emit.File {
	b := declarations("", "").Data
	b = append(b, "import type { RouteId } from \"./operation.js\";\nimport type { Operation } from \"./types.js\";\n\n"+
		"/** The ids of the routes of each operation when this package was made. */\nexport interface ModelIds {\n"...)
	for _, name := range operations.Names() {
		b = fmt.Appendf(b, "  readonly %s: %sId;\n", name, pascal(name))
	}
	b = append(b, "}\n\nexport type ModelIdFor<Op extends Operation> = ModelIds[Op];\n\n"+
		"/** For each operation, the route of an id that is checked when the program is compiled. */\nexport declare const route: {\n"...)
	for _, name := range operations.Names() {
		b = fmt.Appendf(b, "  readonly %s: (id: %sId) => RouteId<%q>;\n", name, pascal(name), name)
	}
	b = append(b, "};\n"...)
	for _, name := range operations.Names() {
		b = fmt.Appendf(b, "\n/** The ids of the routes of %s. */\nexport type %sId =", name, pascal(name))
		none := true
		for r := range c.Routes(name) {
			b = append(b, "\n  | "...)
			b = canon.AppendString(b, r.ID())
			none = false
		}
		if none {
			b = append(b, " never"...)
		}
		b = append(b, ";\n"...)
	}
	return emit.File{Path: "closed.d.ts", Data: b}
}

// pascal is a name of the registry as types are written.
func pascal(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}
