import { expect, test } from 'vitest'
import { isMachineOwn } from './check-node.ts'

test.each(['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', 'fd00:ec2::254', 'fe80::1'])(
  'the secrets of a virtual machine’s host are asked by nobody, in the notation %s',
  (address) => {
    expect(isMachineOwn(address)).toBe(true)
  },
)

test.each(['127.0.0.1', '::1', '192.168.1.5', 'fd00::5', '8.8.8.8'])('at %s may be the operator’s own', (address) => {
  expect(isMachineOwn(address)).toBe(false)
})
