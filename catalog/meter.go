package catalog

// A Meter is one thing that a call can be billed by.
type Meter struct {
	Name    string
	Million bool // priced by the million (tokens, characters, pixels); otherwise by the unit
}

var meters = []Meter{
	{"input_token", true}, {"output_token", true}, {"reasoning_token", true},
	{"cache_read_token", true}, {"cache_write_token", true}, {"citation_token", true},
	{"input_audio_token", true}, {"output_audio_token", true}, {"cache_read_audio_token", true}, {"cache_write_audio_token", true},
	{"input_image_token", true}, {"output_image_token", true}, {"cache_read_image_token", true}, {"cache_write_image_token", true},
	{"input_video_token", true}, {"output_video_token", true}, {"cache_read_video_token", true}, {"cache_write_video_token", true},
	{"input_character", true}, {"output_character", true}, {"input_pixel", true}, {"output_pixel", true},
	{"input_image", false}, {"output_image", false},
	{"input_audio_second", false}, {"output_audio_second", false}, {"input_video_second", false}, {"output_video_second", false},
	{"page", false}, {"search_unit", false}, {"query", false}, {"request", false}, {"tool_call", false}, {"session", false},
	{"gpu_second", false}, {"gigabyte_day", false},
}

// Meters lists the names of all meters in canonical order.
func Meters() []string {
	names := make([]string, len(meters))
	for i, m := range meters {
		names[i] = m.Name
	}
	return names
}

// LookupMeter finds a meter by name.
func LookupMeter(name string) (Meter, bool) {
	for i := range meters {
		if meters[i].Name == name {
			return meters[i], true
		}
	}
	return Meter{}, false
}
