import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 that is never a public host: private, shared, loopback, link-local, documentation, multicast, reserved. */
const PRIVATE_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/**
 * In IPv6, only global unicast is public; that alone leaves out ::, ::1, mapped and translated IPv4 (::ffff:0:0/96,
 * 64:ff9b::/96), fc00::/7, fe80::/10 and ff00::/8. Inside it, these lead back to an IPv4 address or nowhere.
 */
const GLOBAL_V6 = ['2000::', 3] as const
const PRIVATE_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const blockedV4 = blockList(PRIVATE_V4, 'ipv4')
const blockedV6 = blockList(PRIVATE_V6, 'ipv6')
const globalV6 = blockList([GLOBAL_V6], 'ipv6')

/** Also false for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blockedV4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return globalV6.check(address, 'ipv6') && !blockedV6.check(address, 'ipv6')
}

function blockList(subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family)
  return list
}
