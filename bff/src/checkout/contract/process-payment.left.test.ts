import { network as devnet } from '@stablecoin-checkout/rig/model/network'
import { newContractPayment } from '@stablecoin-checkout/rig/new-payment'
import { afterEach, expect, test } from 'vitest'
import { unknownTransaction } from '../../chain/refusal.ts'
import { silentLog } from '../../core/log.ts'
import { systemRuntime } from '../../core/runtime.ts'
import { createProcessor } from './process-payment.ts'

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
process.on('unhandledRejection', note)
afterEach(() => void process.off('unhandledRejection', note))

test('a client that disconnects before verification causes no node call, and does not end the process', async () => {
  let verifications = 0
  const payment = newContractPayment({ network: devnet.shortName })
  const processor = createProcessor({
    networks: new Map([[devnet.shortName, devnet]]),
    chains: new Map([
      [
        devnet.shortName,
        {
          async verifySubmission() {
            verifications += 1
            throw unknownTransaction('no block holds it')
          },
        },
      ],
    ]),
    log: silentLog,
    runtime: systemRuntime,
    waitMs: 1_000,
    waitsMax: 1,
    stopping: new AbortController().signal,
  })
  const txId = `0x${'ab'.repeat(32)}`
  expect(await processor.process(payment, txId, AbortSignal.abort(), null)).toMatchObject({ code: 'NOT_CONFIRMED' })
  // Node reports unhandled rejections once the turn's microtasks have run.
  await new Promise((resolve) => setImmediate(resolve))
  expect({ unhandled, verifications, waiting: processor.waiting }).toEqual({
    unhandled: [],
    verifications: 0,
    waiting: 0,
  })
})
