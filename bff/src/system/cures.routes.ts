import { z } from '@hono/zod-openapi'
import { defineOperation } from '../access/context/operation.ts'
import { errorContent, errorResponses, jsonBody, jsonContent } from '../access/operation/common-schemas.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import { gasViewOf } from '../checkout/networks/gas-view.ts'
import { PaymentError } from '../core/errors.ts'
import { findNetwork, type Network, type Networks } from '../core/families.ts'
import type { Runtime } from '../core/runtime.ts'
import type { Db } from '../db/db.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import { makeDueNow, waitingKinds } from '../payout/due-now-store.ts'
import { refuseTenants, type System } from './system.routes.ts'
import { deploymentResponse, retriedResponse } from './system-schemas.ts'

const network = z.string().max(60).openapi({ description: 'The short name of a network.', example: 'base' })

const conflict = { 409: errorContent('There is nothing to do, or not enough gas; `code` says which.') }

const deployRoute = defineOperation({
  method: 'post',
  path: '/system/contracts',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  audit: 'contracts.deployed',
  operationId: 'deployContracts',
  tags: ['system'],
  summary: 'Deploy the missing contracts of a network; the operator’s account pays the gas',
  description: 'Same as the command `deploy <network> --as-operator`. Safe to repeat, also while it is under way.',
  request: { body: jsonBody(z.object({ network })) },
  responses: {
    200: jsonContent('the result', deploymentResponse),
    ...errorResponses,
    ...conflict,
    503: errorContent('The contracts were not deployed, or the database cannot be reached.'),
  },
})

const retryRoute = defineOperation({
  method: 'post',
  path: '/system/payouts/retry',
  access: 'session',
  role: 'owner',
  passkey: 'always',
  audit: 'payouts.retried',
  operationId: 'retryPayouts',
  tags: ['system'],
  summary: 'Send the waiting payouts of a network now',
  description: 'The usual checks apply: nothing is sent twice, or to another address. Safe to repeat.',
  request: {
    body: jsonBody(
      z.object({
        network,
        waiting: z.enum(waitingKinds).openapi({
          description:
            '`failed`: payouts that failed and wait for their next attempt. `deferred`: sweeps that wait for cheaper gas; they are sent whatever it costs. `parked`: shares of the platform that could not be paid.',
        }),
      }),
    ),
  },
  responses: {
    200: jsonContent('the payouts are due now', retriedResponse),
    ...errorResponses,
    ...conflict,
  },
})

type Deps = {
  db: Db
  networks: Networks
  gasBalances: Pick<GasBalances, 'get'>
  runtime: Runtime
  system: Pick<System, 'deployContracts'>
}

/** The operations behind buttons with which an owner fixes a finding of the doctor. */
export function curesRoutes(api: Operations, { db, networks, gasBalances, runtime, system }: Deps) {
  const success = true as const

  /** @throws {PaymentError} */
  function networkOf(name: string): Network {
    const found = findNetwork(networks, name)
    if (found) return found
    throw new PaymentError('NETWORK_NOT_FOUND', `There is no network "${name}".`)
  }

  api.serve(deployRoute, async (c) => {
    await refuseTenants(db)
    const { shortName } = networkOf(c.req.valid('json').network)
    c.set('change', { subject: shortName })
    const state = await system.deployContracts(shortName)
    c.set('change', { subject: shortName, after: state, isUnchanged: state === 'present' })
    return c.json({ success, network: shortName, state }, 200)
  })

  api.serve(retryRoute, async (c) => {
    await refuseTenants(db)
    const { network: name, waiting } = c.req.valid('json')
    const found = networkOf(name)
    const { shortName } = found
    c.set('change', { subject: shortName })
    const gas = gasViewOf(found, gasBalances)
    if (gas?.state === 'empty') throw new PaymentError('GAS_MISSING', gas.message)
    const count = await db.write((tx) => makeDueNow(tx, shortName, waiting, runtime.nowMs()))
    if (count === 0) throw new PaymentError('NOTHING_WAITING', `Nothing waits to be sent on ${found.name}.`)
    c.set('change', { subject: shortName, after: `${waiting}: ${count}` })
    return c.json({ success, count }, 200)
  })
}
