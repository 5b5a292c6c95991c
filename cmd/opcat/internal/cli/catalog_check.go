package cli

func catalogCheck() Command {
	return stageCommand("check", "find every contradiction; what has none becomes a catalog",
		"Goes on from resolve.json in --run-dir and does nothing again that was done before. With --sources, --layers or\n"+
			"--overlay it starts at the sources instead and leaves the artifacts before its own too.")
}
