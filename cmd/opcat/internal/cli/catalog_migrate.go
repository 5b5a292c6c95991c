package cli

func catalogMigrate() Command {
	return stageCommand("migrate", "turn legacy fields into today's, each move recorded",
		"Goes on from decode.json in --run-dir and does nothing again that was done before. With --sources, --layers or\n"+
			"--overlay it starts at the sources instead and leaves the artifacts before its own too.")
}
