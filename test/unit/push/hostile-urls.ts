/** Push URLs that somebody who means harm would register, by what they try. None may get through, in any spelling. */

/** Refused by what they say, before anything is looked up. */
export const hostileUrls: Readonly<Record<string, readonly string[]>> = {
  'loopback, IPv4': [
    'https://127.0.0.1/', 'https://127.0.0.1:443/', 'https://127.0.0.1./', 'https://127.1/', 'https://127.0.1/', 'https://127.255.255.254/', 'https://2130706433/', 'https://017700000001/',
    'https://0x7f000001/', 'https://0x7F.1/', 'https://0x7f.0x0.0x0.0x1/', 'https://0177.0.0.1/', 'https://0177.0.0.01/', 'https://00000177.1/', 'https://127.0.0.0x1/', 'https://127.0x1/',
    'https://0x7f.0.1/', 'https://%31%32%37.0.0.1/', 'https://127.0.0%2e1/', 'https://127%2E0%2E0%2E1/', 'https://１２７.０.０.１/', 'https://①②⑦.⓪.⓪.①/', 'https://127。0。0。1/', 'https://127．0．0．1/',
    'https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/', 'https://127｡0｡0｡1/', 'https://127.0.0.1%00.example.com/', 'https://127.0.0.1#.example.com/', 'https://127.0.0.1?.example.com/', 'https://127.0.0.1/.example.com',
  ],
  'unspecified and broadcast': ['https://0/', 'https://0.0.0.0/', 'https://0x0/', 'https://00/', 'https://0.1.2.3/', 'https://[::]/', 'https://255.255.255.255/', 'https://4294967295/', 'https://0xffffffff/'],
  'RFC 1918 and CGNAT': [
    'https://10.0.0.1/', 'https://10.255.255.255/', 'https://0xa.1/', 'https://012.1/', 'https://167772161/', 'https://172.16.0.1/', 'https://172.31.255.255/', 'https://0xac100001/',
    'https://192.168.0.1/', 'https://192.168.257/', 'https://0xc0.0xa8.1/', 'https://3232235521/', 'https://100.64.0.1/', 'https://100.127.255.254/', 'https://100.100.100.200/latest/meta-data/',
  ],
  'link-local and cloud metadata': [
    'https://169.254.169.254/latest/meta-data/iam/security-credentials/', 'https://169.254.169.254./', 'https://0xa9fea9fe/', 'https://2852039166/', 'https://0251.0376.0251.0376/', 'https://169.254.43518/',
    'https://[fe80::1]/', 'https://[febf::1]/', 'https://[fe80::1%25eth0]/', 'https://[fe80::1%eth0]/', 'https://[fd00:ec2::254]/', 'https://[::ffff:169.254.169.254]/', 'https://[::ffff:a9fe:a9fe]/',
    'https://metadata.google.internal/computeMetadata/v1/', 'https://metadata.google.internal./', 'https://METADATA.GOOGLE.INTERNAL/', 'https://metadata/', 'https://168.63.129.16/machine', 'https://192.0.0.192/opc/v2/',
  ],
  'IPv6: loopback, unique-local, site-local, mapped, compatible, NAT64, 6to4, Teredo': [
    'https://[::1]/', 'https://[0:0:0:0:0:0:0:1]/', 'https://[0000::0001]/', 'https://[::0.0.0.1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::FFFF:7F00:1]/', 'https://[0:0:0:0:0:ffff:10.0.0.1]/', 'https://[::ffff:192.168.1.1]/',
    'https://[::ffff:8.8.8.8]/', 'https://[::ffff:0:127.0.0.1]/', 'https://[::127.0.0.1]/', 'https://[::10.0.0.1]/', 'https://[::8.8.8.8]/', 'https://[64:ff9b::127.0.0.1]/', 'https://[64:ff9b::a00:1]/', 'https://[64:ff9b::8.8.8.8]/',
    'https://[64:ff9b:1::7f00:1]/', 'https://[64:ff9b:1:ffff::1]/', 'https://[2002:7f00:1::]/', 'https://[2002:a00:1::1]/', 'https://[2002:808:808::1]/', 'https://[2001::1]/', 'https://[2001:0:7f00:1::]/', 'https://[fc00::1]/',
    'https://[fd12:3456:789a::1]/', 'https://[fec0::1]/', 'https://[::1%25lo]/', 'https://[::1%lo]/', 'https://[::1]:443/', 'https://[ff02::1]/', 'https://[ff0e::1]/',
  ],
  'documentation, benchmarks, multicast, reserved': [
    'https://192.0.2.1/', 'https://198.51.100.7/', 'https://203.0.113.9/', 'https://198.18.0.1/', 'https://198.19.255.255/', 'https://192.0.0.1/', 'https://192.88.99.1/', 'https://224.0.0.1/', 'https://239.255.255.250/',
    'https://240.0.0.1/', 'https://[100::1]/', 'https://[2001:db8::1]/', 'https://[3fff::1]/', 'https://[2001:2::1]/', 'https://[2001:10::1]/', 'https://[2001:20::1]/', 'https://[5f00::1]/', 'https://[4000::1]/', 'https://[1::1]/',
  ],
  'names of this machine and its network': [
    'https://localhost/', 'https://LOCALHOST/', 'https://localhost./', 'https://a.localhost/', 'https://a.b.localhost./', 'https://localhost.localdomain/', 'https://ip6-localhost/', 'https://ip6-loopback/', 'https://printer.local/', 'https://vault.internal/',
    'https://router.home.arpa/', 'https://kubernetes.default.svc.cluster.local/', 'https://kubernetes/', 'https://redis/', 'https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'https://ｌｏｃａｌｈｏｓｔ/', 'https://loc\u00adalhost/', 'https://%6c%6f%63%61%6c%68%6f%73%74/',
    'https://lоcalhost/', 'https://localhоst/', 'https://ℓocalhost/', 'https://𝐥𝐨𝐜𝐚𝐥𝐡𝐨𝐬𝐭/', 'https://localhost。/', 'https://evil。localhost/',
  ],
  'credentials': [
    'https://user:pass@hooks.example.com/', 'https://user@hooks.example.com/', 'https://:pass@hooks.example.com/', 'https://@hooks.example.com/', 'https://:@hooks.example.com/', 'https://hooks.example.com@127.0.0.1/', 'https://hooks.example.com:443@127.0.0.1/',
    'https://a:b@c@127.0.0.1/', 'https://hooks.example.com%40127.0.0.1/', 'https://127.0.0.1:443@hooks.example.com/', 'http://user:pass@hooks.example.com/',
  ],
  'ports': [
    'https://hooks.example.com:22/', 'https://hooks.example.com:80/', 'https://hooks.example.com:0/', 'https://hooks.example.com:6379/', 'https://hooks.example.com:8443/', 'https://hooks.example.com:65535/', 'https://hooks.example.com:65536/',
    'https://hooks.example.com:-1/', 'https://hooks.example.com:443443/', 'https://hooks.example.com:4 43/', 'https://8.8.8.8:8443/', 'https://hooks.example.com:0x1bb/', 'https://hooks.example.com:４４３/',
  ],
  'schemes': [
    'http://hooks.example.com/', 'HTTP://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'gopher://hooks.example.com/_x', 'data:text/plain,x', 'javascript:alert(1)', 'ws://hooks.example.com/', 'wss://hooks.example.com/', 'unix:/var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'ldap://hooks.example.com/', 'dict://hooks.example.com/', 'jar:https://hooks.example.com/', 'view-source:https://hooks.example.com/', 'blob:https://hooks.example.com/x', '//hooks.example.com/', 'hooks.example.com', '/hook', '', 'about:blank',
  ],
  'what a parser would repair': [
    'https:/127.0.0.1/', 'https:127.0.0.1', 'https:///127.0.0.1/', 'https:////127.0.0.1/', 'https:\\\\127.0.0.1\\', 'https://hooks.example.com\\@127.0.0.1/', 'https:/hooks.example.com/', 'https:hooks.example.com', 'https:///hooks.example.com/', 'https://', 'https:///', 'https://?x', 'https://#x', 'https://:443/',
    ' https://hooks.example.com/', 'https://hooks.example.com/ ', 'ht\ntps://hooks.example.com/', 'https://127.0.0.1\t/', 'https://hooks.exa\nmple.com/', 'https://hooks.example.com/\r\nX-Injected: 1', 'https://hooks.example.com/%0d%0a\n', 'https://hooks.example.com/\0', '\u0001https://hooks.example.com/', '\ufeffhttps://hooks.example.com/',
    'https://hooks.example.com\u3000/', 'https://hooks.example.com\u200b/', 'https://hooks.example.com/\u202ecod.exe', 'https://hooks.example.com/\ud800', 'https://.hooks.example.com/', 'https://hooks..example.com/', 'https://hooks.example.com../', 'https://./', 'https://../', 'https://%00/', 'https://%zz/', 'https://[hooks.example.com]/', 'https://[::1/',
    'https://[]/', 'https://1.2.3.4.5/', 'https://256.1.1.1/', 'https://1.2.3.0x100000000/', 'https://example.0x7f/', 'https://a^b.example.com/', 'https://<127.0.0.1>/', `https://${'a'.repeat(64)}.example.com/`, `https://${'a.'.repeat(130)}com/`,
  ],
};

/** What a name that looks harmless may resolve to; one of these among public addresses is enough to refuse it. */
export const hostileAddresses: readonly string[] = [
  '127.0.0.1', '127.8.8.8', '0.0.0.0', '0.8.8.8', '10.0.0.1', '10.255.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '100.100.100.200', '169.254.169.254', '169.254.1.1', '192.0.0.8', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1',
  '203.0.113.1', '192.88.99.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255', '168.63.129.16', '::', '::1', '::127.0.0.1', '::7f00:1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '::ffff:0:7f00:1', '64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1',
  '100::1', '2001::1', '2001:2::1', '2001:db8::1', '2001:10::1', '2001:20::1', '2002:7f00:1::', '2002:808:808::', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', '2606:4700::1%eth0', 'fec0::1', 'ff02::1', '4000::1',
  // no addresses at all, from a resolver that may not be trusted
  '0177.0.0.1', '127.1', '2130706433', '0x7f000001', 'localhost', '', '127.0.0.1 ', '8.8.8.8, 127.0.0.1', '8.8.8.8/8',
];
