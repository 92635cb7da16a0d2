import { describe, expect, test } from 'vitest'
import { excused, isMachineOwn } from './check-node.ts'

test.each(['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', 'fd00:ec2::254', 'fe80::1'])(
  'the secrets of a virtual machine’s host are asked by nobody, in the notation %s',
  (address) => {
    expect(isMachineOwn(address)).toBe(true)
  },
)

test.each(['127.0.0.1', '::1', '192.168.1.5', 'fd00::5', '8.8.8.8'])('at %s may be the operator’s own', (address) => {
  expect(isMachineOwn(address)).toBe(false)
})

describe('a node that does not respond', () => {
  const silent = (url: string) => ({
    url,
    isUsable: false,
    notes: [{ code: 'rpc.bad', state: 'bad' as const, says: 'does not respond' }],
  })
  const suggested = 'https://sepolia.base.org'

  test('and that the page suggested is not called the operator’s mistake, and can be kept', () => {
    expect(excused('base-sepolia', silent(suggested))).toMatchObject({
      isUsable: true,
      notes: [{ code: 'default.silent', state: 'warning' }],
    })
  })

  test('is refused where the operator typed it, or typed it for another network', () => {
    for (const [network, url] of [
      ['base-sepolia', 'https://node.example'],
      ['sepolia', suggested],
    ] as const) {
      expect(excused(network, silent(url))).toEqual(silent(url))
    }
  })

  test('is refused when it responds and cannot be used, though the page suggested it', () => {
    const wrong = { ...silent(suggested), notes: [{ code: 'chain.bad', state: 'bad' as const, says: 'another chain' }] }
    expect(excused('base-sepolia', wrong)).toEqual(wrong)
  })
})
