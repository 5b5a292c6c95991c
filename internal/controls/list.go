package main

// controls is every safety rule with the test that holds it.
var controls = []control{
	{
		rule: "strict keys: a key that its table does not have is refused",
		file: "compile/fragment/decode.go",
		old:  "\t\td.unknown(at, t.Table, part)\n",
		new:  "",
		pkg:  "compile", test: "TestMisspeltKeyIsRefused",
	},
	{
		rule: "a glob never grants",
		file: "compile/resolve/glob.go",
		old:  "\treturn s.Str() != \"refused\"\n",
		new:  "\treturn false\n",
		pkg:  "compile", test: "TestGlobNeverGrants",
	},
	{
		rule: "a tie of two rules is an error",
		file: "compile/resolve/contract.go",
		old:  "\tif tree.Equal(a.node, b.node) {\n\t\treturn\n\t}\n\tif m.r.quarrels == nil {",
		new:  "\tif true {\n\t\treturn\n\t}\n\tif m.r.quarrels == nil {",
		pkg:  "compile", test: "TestTieIsAnError",
	},
	{
		rule: "layer rights: a project layer moves no credential by another's endpoint or origin",
		file: "compile/layer/rights_provider.go",
		old:  "\t\t\tm.othersProvider(below, above)\n",
		new:  "",
		pkg:  "compile", test: "TestProjectLayerMovesNoCredential",
	},
	{
		rule: "layer rights: a project layer names no variable that holds a credential",
		file: "compile/layer/rights_provider.go",
		old:  "\t\tm.noVariables(above, above)\n\t\tif below == nil {\n\t\t\tm.ownProvider(above)\n",
		new:  "\t\tif below == nil {\n",
		pkg:  "compile", test: "TestProjectLayerMovesNoCredential",
	},
	{
		rule: "layer rights: a project layer takes no bound away, and is told so",
		file: "compile/resolve/contract.go",
		old:  "\tr.refuseUnset(row, table, free)\n",
		new:  "",
		pkg:  "compile", test: "TestProjectLayerTakesNoBoundAway",
	},
	{
		rule: "an old and a new spelling that contradict each other are refused",
		file: "compile/migrate/inputs.go",
		old:  "\t\t\tv.aliasQuarrel(modern, old, s.modern+\" and \"+s.old+\" are one fact\")\n",
		new:  "",
		pkg:  "compile", test: "TestOldAndNewSpellingContradict",
	},
	{
		rule: "unknown is not zero: a limit of zero is refused",
		file: "compile/fragment/scalar.go",
		old:  "\tif i >= t.Min && (t.Max == 0 || i <= t.Max) {\n",
		new:  "\tif i <= t.Max || t.Max == 0 {\n",
		pkg:  "compile", test: "TestUnknownIsNotZero",
	},
	{
		rule: "order never matters: what has no order is sorted",
		file: "compile/build/writer.go",
		old:  "\t\t\tsortNodes(items, bag.compare)\n",
		new:  "",
		pkg:  "compile", test: "TestOrderNeverMatters",
	},
	{
		rule: "an edited file is held against all that was not edited",
		file: "compile/parts.go",
		old:  "\tfound[5] = check.Among(r.Draft, r.speaking)\n",
		new:  "",
		pkg:  "compile", test: "TestEditedShowsElsewhere",
	},
	{
		rule: "what is inherited from an edited file is compiled again with it",
		file: "compile/layer/parts.go",
		old:  "\t\t\tof(from)\n",
		new:  "\t\t\t_ = of\n",
		pkg:  "compile", test: "TestEditedShowsElsewhere",
	},
	{
		rule: "the digest covers every fact",
		file: "catalog/again.go",
		old:  "\t\th.Write(part)\n",
		new:  "\t\th.Write(part[:len(part)/2])\n",
		pkg:  "compile", test: "TestDigestCoversEveryFact",
	},
}
