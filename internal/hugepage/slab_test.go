package hugepage

import "testing"

// What a slab gives is zero, and nobody else's.
func TestSlab(t *testing.T) {
	var s Slab[[3]int]
	var kept [][][3]int
	for i := range 3000 {
		list := s.Make(i % 7)
		if list = append(list[:len(list):len(list)], s.Clone([][3]int{{i}})...); cap(list) < len(list) {
			t.Fatal(i)
		}
		kept = append(kept, list)
		if p := s.New(); *p != [3]int{} {
			t.Fatalf("%d: %v", i, *p)
		} else {
			*p = [3]int{-1, -1, -1}
		}
	}
	for i, list := range kept {
		for _, v := range list[:len(list)-1] {
			if v != [3]int{} {
				t.Fatalf("%d: %v", i, v)
			}
		}
		if list[len(list)-1] != [3]int{i} {
			t.Fatalf("%d: %v", i, list)
		}
	}
	big := s.Make(100000)
	if len(append(big, [3]int{1})) != 100001 || *s.Put([3]int{7}) != [3]int{7} || s.Clone(nil) != nil {
		t.Error("a slice larger than any piece")
	}
}
