import { expect, test } from 'vitest'
import type { Network, Networks } from '../core/families.ts'
import { createMeter } from '../ops/metrics/meter.ts'
import { createReadiness } from './readiness.ts'

const networks = new Map(['one', 'two'].map((name) => [name, { shortName: name } as Network]))

function open({ payable = ['one'], known = networks as Networks }: { payable?: string[]; known?: Networks } = {}) {
  const stopping = new AbortController()
  const meter = createMeter()
  const health = { get: (name: string) => ({ isPayable: payable.includes(name), reason: null }) }
  let isReplaced = false
  const isReady = createReadiness({
    networks: known,
    health,
    canCommit: meter.canCommit,
    isReplaced: () => isReplaced,
    stopping: stopping.signal,
  })
  const replace = () => {
    isReplaced = true
  }
  return { isReady, meter, stopping, replace }
}

test('one network that can be paid on is enough', () => {
  expect(open().isReady()).toEqual({ isReady: true, reasons: [], codes: [] })
  expect(open({ payable: [] }).isReady().codes).toEqual(['noPayableNetwork'])
  expect(open({ payable: [] }).isReady().reasons).toEqual(['No network can be paid on. See /api/v1/payments/health.'])
  expect(open({ known: new Map() }).isReady().reasons).toEqual(['No network is configured.'])
})

test('a commit that failed takes the service out until one succeeds', () => {
  const { isReady, meter } = open()
  meter.commitFailed()
  expect(isReady()).toEqual({ isReady: false, reasons: ['Writing to the database failed.'], codes: ['database'] })
  meter.committed(1, 1)
  expect(isReady().isReady).toBe(true)
})

test('a service that stops is not ready from the first moment', () => {
  const { isReady, stopping } = open()
  stopping.abort()
  expect(isReady()).toEqual({ isReady: false, reasons: ['The service is stopping.'], codes: ['stopping'] })
})

test('a process whose database another one has taken over is not ready', () => {
  const { isReady, replace } = open()
  replace()
  expect(isReady()).toMatchObject({ reasons: ['Another process has taken over the database.'], codes: ['replaced'] })
})
