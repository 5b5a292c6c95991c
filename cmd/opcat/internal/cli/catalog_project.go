package cli

func catalogProject() Command {
	return stageCommand("project", "write every projection of the checked catalog into the run dir",
		"Goes on from check.json in --run-dir and does nothing again that was done before. With --sources, --layers or\n"+
			"--overlay it starts at the sources instead and leaves the artifacts before its own too.")
}
