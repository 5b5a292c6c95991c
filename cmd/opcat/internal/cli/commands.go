package cli

// Commands is every command of opcat: the one list that cobra's tree, --help and
// --describe are made from. A command is one file, named for its path, and one
// line here, in the order of the paths.
func Commands() []Command {
	return []Command{
		catalogAudit(),
		catalogCheck(),
		catalogCompile(),
		catalogDecode(),
		catalogLayer(),
		catalogMigrate(),
		catalogProject(),
		catalogResolve(),
		diagnosticGet(),
		diagnosticList(),
		fragmentApply(),
		fragmentPlan(),
		modelGet(),
		modelList(),
		operationGet(),
		operationList(),
		parityCompare(),
		parityGet(),
		parityList(),
		projectionAudit(),
		projectionGet(),
		projectionList(),
		providerGet(),
		providerList(),
		routeAdmit(),
		routeDispatch(),
		routeGet(),
		routeList(),
		routeSelect(),
		snapshotApply(),
		snapshotGet(),
		snapshotList(),
		snapshotPlan(),
		upstreamApply(),
		upstreamCompare(),
		upstreamGet(),
		upstreamList(),
		upstreamPlan(),
		verify(),
	}
}
