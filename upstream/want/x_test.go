package want_test
import ("testing";"fmt";"time"
"github.com/opcat/opcat/upstream";"github.com/opcat/opcat/upstream/want"
snap "github.com/opcat/opcat/gen/json")
func TestX(t *testing.T){
 t0:=time.Now()
 cs,err:=upstream.Load("../../upstreams.toml")
 if err!=nil {t.Fatal(err)}
 fmt.Println(time.Since(t0))
 have,_:=snap.Catalog()
 s:=want.Build(cs,have)
 fmt.Println(time.Since(t0),len(s.Providers))
 n,g,l,d:=0,map[string]int{},map[string]int{},map[string]int{}
 for _,p:=range s.Providers{ n+=len(p.Rows); for _,r:=range p.Rows{ for _,c:=range r.Row.Contracts{g[c.Operation]++}; for _,x:=range r.Row.ListedAs{l[x]++}; for _,x:=range r.Doubts{ if len(x)>50 {x=x[:50]}; d[x]++}}}
 fmt.Println(n,g,l)
 for k,v:=range d{ if v>3 {fmt.Println(v,k)}}
 for _,h:=range s.Held{fmt.Println(h)}
}
