import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose registry, multicast, and 168.63.129.16: the host of every virtual machine at Azure. */
const privateIpv4 = listOf('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
])

/** All that is assigned to the internet. Mapped, translated, unique local and link local addresses lie outside. */
const globalIpv6 = listOf('ipv6', ['2000::/3'])
/** Excluded inside it: protocol assignments with Teredo, documentation (twice), and 6to4, which embeds any IPv4 address. */
const privateIpv6 = listOf('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** Whether the text is an IP address of the public internet. False for a name, which must be resolved first. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !privateIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !privateIpv6.check(address, 'ipv6')
    default:
      return false
  }
}

function listOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    list.addSubnet(network, Number(bits), family)
  }
  return list
}
