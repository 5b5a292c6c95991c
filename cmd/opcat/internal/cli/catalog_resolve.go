package cli

func catalogResolve() Command {
	return stageCommand("resolve", "let rules meet rows, and follow every reference",
		"Goes on from layer.json in --run-dir and does nothing again that was done before. With --sources, --layers or\n"+
			"--overlay it starts at the sources instead and leaves the artifacts before its own too.")
}
