package diag

// The codes of stage layer.
const ()

var layerCodes = []Entry{}
