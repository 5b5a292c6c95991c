package cli

func catalogLayer() Command {
	return stageCommand("layer", "merge the layers, with the rights that each has",
		"Goes on from migrate.json in --run-dir and does nothing again that was done before. With --sources, --layers or\n"+
			"--overlay it starts at the sources instead and leaves the artifacts before its own too.")
}
