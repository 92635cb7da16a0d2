import { expect, test } from 'vitest'
import { bad, found } from '../../core/finding.ts'
import type { NodeFault } from '../config/node-fault.ts'
import { isMachineOwn, nodeCheck } from './check-node.ts'

const notations = [
  ...['::ffff:169.254.169.254', '::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '64:ff9b::6464:64c8', '64:ff9b::a83f:8110'],
  ...['fe80::1', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe', 'fd00:42::42'],
]

test.each(notations)('the secrets of a virtual machine’s host are asked by nobody, in the notation %s', (address) => {
  expect(isMachineOwn(address)).toBe(true)
})

test.each(['127.0.0.1', '::1', '192.168.1.5', 'fd00::5', '8.8.8.8'])('at %s may be the operator’s own', (address) => {
  expect(isMachineOwn(address)).toBe(false)
})

const examined = (kind: NodeFault['kind'], isSuggested: boolean) => ({
  findings: [bad(found('rpc.silent', 'timeout'), 'Sepolia', 'does not answer', 'Replace the node.')],
  fault: { kind, says: 'does not answer', isSuggested },
})

test('a node that does not respond and that the page suggested is not called the operator’s mistake, and can be kept', () => {
  expect(nodeCheck('https://node.example', examined('silent', true))).toMatchObject({
    isUsable: true,
    notes: [{ code: 'default.silent', state: 'warning' }],
  })
})

test.each([
  ['silent', false, 'rpc.bad'],
  ['wrong', true, 'chain.bad'],
  ['unfit', true, 'rpc.bad'],
] as const)('a node that is %s is refused (suggested: %s)', (kind, isSuggested, code) => {
  expect(nodeCheck('https://node.example', examined(kind, isSuggested))).toMatchObject({
    isUsable: false,
    notes: [{ code, state: 'bad' }],
  })
})
