package cli

func catalogDecode() Command {
	return stageCommand("decode", "read every fragment strictly, each key and value with its place",
		"Leaves decode.json in the run dir, for stage migrate to go on from.")
}
