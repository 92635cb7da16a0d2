import { openApp } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import type { NodeState } from '../../network/node-state.ts'
import { newDeliveryCounts } from '../../webhook/outbox/dispatcher.ts'
import { createGauges } from './gauges.ts'
import { createMeter } from './meter.ts'

const node = (place: number, state: NodeState['state']): NodeState => ({
  name: `node ${place} of 2`,
  host: 'rpc.example',
  state,
  reason: null,
  outUntilMs: null,
})

test('a node of a network that is dead has a metric of its own, although the other does all the work', async () => {
  const bff = await openApp()
  const meter = createMeter()
  const [network] = bff.deps.networks.keys()
  const read = createGauges({
    ...bff.deps,
    database: 'checkout.sqlite',
    leases: { isHeld: () => true },
    nodeStates: (name) => (name === network ? [node(1, 'ok'), node(2, 'down')] : []),
    deliveryCounts: newDeliveryCounts(),
    meter,
    partsOn: [],
  })
  await read()
  const series = (await meter.registry.metrics()).split('\n').filter((line) => line.startsWith('checkout_rpc_node_up{'))
  expect(series).toEqual([
    `checkout_rpc_node_up{network="${network}",node="node 1 of 2",host="rpc.example"} 1`,
    `checkout_rpc_node_up{network="${network}",node="node 2 of 2",host="rpc.example"} 0`,
  ])
  await bff.close()
})
