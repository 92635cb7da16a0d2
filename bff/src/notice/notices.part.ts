import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Env } from '../access/context/env.ts'
import type { RateLimits } from '../access/limits/rate-limit.ts'
import type { Operations } from '../access/operation/operation-registry.ts'
import type { Networks } from '../core/families.ts'
import type { Log } from '../core/log.ts'
import type { Runtime } from '../core/runtime.ts'
import { runWorker } from '../core/worker.ts'
import type { Db, Tx } from '../db/db.ts'
import type { Vault } from '../db/vault.ts'
import type { GasBalances } from '../network/gas-balances.ts'
import type { NetworkHealth } from '../network/network-health.ts'
import { createTargetAgent, type Targets } from '../webhook/send/target.ts'
import { deleteAdditions } from './channels/addition-store.ts'
import { channelRoutes } from './channels/channel.routes.ts'
import { deleteChannel, foreignChannels, unconfirmedChannels } from './channels/channel-store.ts'
import { createChannels, dayMs } from './channels/channels.ts'
import { confirmPageRoutes } from './confirm-page.routes.ts'
import type { SendMail } from './mail/smtp.ts'
import { createNoticeLinks } from './notice-links.ts'
import { noticeEvents } from './outbox/event-notices.ts'
import { deleteDone } from './outbox/notice-store.ts'
import { createNoticePass } from './outbox/notice-worker.ts'
import { remindOfRefunds } from './outbox/refund-reminders.ts'
import { readPushKeys } from './send/push-key-store.ts'
import { createSenders } from './send/senders.ts'
import { stopPageRoutes } from './stop-page.routes.ts'
import { noticeTroubles } from './trouble/notice-troubles.ts'

const pauseMs = 1_000
const troublePauseMs = 30_000
/** Often enough, because reminders are days apart. */
const reminderPauseMs = 10 * 60_000

const doneKeptMs = 7 * dayMs

type RouteDeps = {
  db: Db
  runtime: Runtime
  vault: Vault
  webhookTargets: Targets
  hasMail: boolean
  limits: Pick<RateLimits, 'unauthenticated'>
  pageOf: (c: Context<Env>) => { origin: string }
}

/** The dashboard's operations, and the pages that confirm an address or stop notices. */
export function noticeRoutes(app: OpenAPIHono<Env>, api: Operations, deps: RouteDeps) {
  const channels = createChannels(deps)
  const pushKey = async () => (await readPushKeys(deps)).publicKey
  channelRoutes(api, { ...deps, channels, pushKey })
  const noticeLinks = createNoticeLinks(deps.vault)
  confirmPageRoutes(app, { ...deps, channels, noticeLinks })
  stopPageRoutes(app, { ...deps, channels, noticeLinks })
}

type WorkerDeps = {
  db: Db
  runtime: Runtime
  log: Log
  vault: Vault
  networks: Networks
  health: NetworkHealth
  gasBalances: Pick<GasBalances, 'get'>
  targets: Targets
  publicUrl: string | null
  sendMail: SendMail | null
}

/** Makes and sends notices until the signal aborts. Never rejects. */
export async function runNotices(deps: WorkerDeps, signal: AbortSignal): Promise<void> {
  const { db, runtime, log } = deps
  const agent = createTargetAgent(deps.targets)
  const send = createSenders({ ...deps, agent })
  const sendDue = createNoticePass({ ...deps, send, noticeLinks: createNoticeLinks(deps.vault) })
  const onFailure = ({ error }: { error: unknown }) => log.warn({ err: error }, 'Sending notices failed; retrying')
  await Promise.all([
    runWorker({ pauseMs, pass: () => noticeEvents({ db, log }, runtime.nowMs()), onFailure }, signal),
    runWorker({ pauseMs, pass: sendDue, onFailure }, signal),
    runWorker(
      {
        pauseMs: troublePauseMs,
        async pass() {
          await noticeTroubles(deps, runtime.nowMs())
          return false
        },
        onFailure,
      },
      signal,
    ),
    runWorker(
      {
        pauseMs: reminderPauseMs,
        async pass() {
          await remindOfRefunds(deps, runtime.nowMs())
          return false
        },
        onFailure,
      },
      signal,
    ),
  ])
  await agent.destroy()
}

/** Deletes old notices and additions, and unconfirmed channels and those of removed people: at most `rowsMax` each. @returns the most. */
export async function deleteExpired(tx: Tx, nowMs: number, rowsMax: number): Promise<number> {
  const foreign = await foreignChannels(tx, rowsMax)
  const unconfirmed = await unconfirmedChannels(tx, nowMs - dayMs, rowsMax)
  for (const id of [...foreign, ...unconfirmed]) await deleteChannel(tx, id)
  const additions = await deleteAdditions(tx, nowMs - dayMs, rowsMax)
  const done = await deleteDone(tx, nowMs - doneKeptMs, rowsMax)
  return Math.max(foreign.length, unconfirmed.length, additions, done)
}
