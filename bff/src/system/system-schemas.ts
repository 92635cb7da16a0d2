import { z } from '@hono/zod-openapi'
import { time } from '../access/operation/common-schemas.ts'
import { readinessCodes } from '../core/finding-codes.ts'

const ok = { success: z.literal(true) }

const seconds = z.int().openapi({ description: 'Whole seconds.' })

const queue = z.object({
  name: z.enum(['payments', 'sweeps', 'refunds', 'returns', 'webhooks', 'transactions']).openapi({
    description:
      '`payments`: in their window. `sweeps`, `refunds`, `returns`: payouts that are not final. `webhooks`: deliveries that are due. `transactions`: sent, and not final.',
  }),
  network: z.string().nullable(),
  count: z.int().openapi({ description: 'Counted up to 100000.' }),
  failing: z.int().openapi({ description: 'Those that have failed before.' }),
  deferred: z.int().openapi({ description: 'Sweeps that wait for cheaper gas.' }),
  oldestSeconds: seconds.nullable().openapi({ description: 'Since the oldest was due; null where nothing is late.' }),
})

export const systemResponse = z.object({
  ...ok,
  version: z.string(),
  ready: z.boolean(),
  reasons: z.array(z.string()).openapi({ description: 'Why it is not ready.' }),
  reasonCodes: z.array(z.enum(readinessCodes)).openapi({ description: 'The same reasons as codes, in order.' }),
  networks: z.array(
    z.object({
      network: z.string(),
      name: z.string(),
      isTestnet: z.boolean(),
      payable: z.boolean(),
      reason: z.string().nullable(),
      contractsMissing: z.boolean().openapi({ description: '`deploy <network>` deploys them.' }),
      block: z.int().nullable().openapi({ description: 'The newest that was fully applied.' }),
      lagSeconds: seconds.nullable().openapi({ description: 'The age of that block.' }),
      watched: z.boolean().openapi({ description: 'Whether the process, or a replica, watches the network now.' }),
      nodes: z.array(
        z.object({
          replica: z.string().nullable().openapi({
            description: 'The replica that reports this state; null: there is one process.',
            example: 'checkout-1 · 3f6c0a52',
          }),
          name: z.string(),
          host: z.string(),
          state: z.enum(['ok', 'down', 'quarantine']),
          reason: z.string().nullable(),
          until: time.nullable(),
        }),
      ),
      gas: z
        .object({
          state: z.enum(['ok', 'low', 'empty']),
          address: z.string(),
          balance: z.string(),
          needed: z.string(),
          currency: z.string(),
          message: z.string(),
        })
        .nullable(),
    }),
  ),
  queues: z.array(queue),
  database: z.enum(['sqlite', 'postgres']),
  replicas: z
    .array(
      z.object({
        id: z.string(),
        version: z.string(),
        host: z.string(),
        startedAt: time,
        silentSeconds: seconds,
        leases: z.array(z.string()).openapi({ description: 'Networks that it works for; `*` is the work for all.' }),
      }),
    )
    .openapi({ description: 'Of PostgreSQL: the processes that share the database.' }),
  backup: z
    .object({ madeAt: time, ageSeconds: seconds, bytes: z.int() })
    .nullable()
    .openapi({ description: 'The newest of the command `backup`; null: none, or the database is PostgreSQL.' }),
})

export const doctorResponse = z.object({
  ...ok,
  at: time,
  findings: z.array(
    z.object({
      check: z.string(),
      subject: z.string(),
      state: z.enum(['good', 'warning', 'bad']),
      says: z.string(),
      fix: z.string().nullable(),
      code: z.string().openapi({
        description: 'The check and its result. The values of its sentence are in `values`.',
        example: 'gas.good',
      }),
      values: z
        .array(z.string())
        .openapi({ example: ['0.5', 'ETH', '320', '0.2', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'] }),
      place: z
        .object({
          code: z.enum(['node', 'platform', 'replica', 'replicas', 'work']),
          values: z.array(z.string()).openapi({ example: ['Base', '1', '2'] }),
        })
        .nullable()
        .openapi({ description: '`subject` as a code with values; null: it is a name in any language.' }),
    }),
  ),
})

export const deploymentResponse = z.object({
  ...ok,
  network: z.string(),
  state: z.enum(['deployed', 'present', 'underWay']).openapi({
    description: '`present`: nothing was missing. `underWay`: the blocks are slow, and the deployment continues.',
  }),
})

export const retriedResponse = z.object({
  ...ok,
  count: z.int().openapi({ description: 'Those that were made due, at most 1000 at a time.', example: 2 }),
})
