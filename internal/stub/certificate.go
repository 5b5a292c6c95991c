package stub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"sync"
	"time"
)

// authority vouches for the stubs of one test process. It is made anew each time,
// and nobody else trusts it.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	mu   sync.Mutex
	made map[string]*tls.Certificate // by host
}

var ca = sync.OnceValues(func() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "the stub's authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &authority{key: key, cert: cert, made: map[string]*tls.Certificate{}}, err
})

// Roots vouches for every stub over TLS.
func Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	if a, err := ca(); err == nil {
		pool.AddCert(a.cert)
	}
	return pool
}

// certificate is one for the host that the client names, or for the address that
// it dialled.
func certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	a, err := ca()
	if err != nil {
		return nil, err
	}
	host := hello.ServerName
	if host == "" {
		host, _, err = net.SplitHostPort(hello.Conn.LocalAddr().String())
		if err != nil {
			return nil, err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c, ok := a.made[host]; ok {
		return c, nil
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(a.made)) + 2), Subject: pkix.Name{CommonName: host},
		NotBefore: a.cert.NotBefore, NotAfter: a.cert.NotAfter,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &a.key.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	a.made[host] = &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
	return a.made[host], nil
}
