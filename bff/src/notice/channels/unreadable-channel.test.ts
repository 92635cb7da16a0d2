import { signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { openApp } from '@stablecoin-checkout/rig/test-app'
import { expect, test } from 'vitest'
import { sql } from '../../db/db.ts'
import { createNoticeLinks } from '../notice-links.ts'

test('the link that stops notices works for a channel that cannot be read, and drops what waits', async () => {
  const bff = await openApp({ webhookTargets: 'any' })
  const page = await signedIn(bff)
  const url = `https://api.telegram.org/bot123456:${'A'.repeat(35)}/sendMessage?chat_id=1`
  await page.confirm('POST', '/dashboard/notices', { kind: 'telegram', url, kinds: ['paid'], language: 'en' })
  const channel = async () =>
    ((await page.ask('GET', '/dashboard/notices')).body['channels'] as { id: string; kinds: string[] }[])[0]
  const id = (await channel())?.id ?? ''
  await bff.deps.db.write(async (tx) => {
    await tx.run(sql`update notices set kind = 'paid' where channel_id = ${id}`)
    await tx.run(sql`update notice_channels set kinds = 'nothing' where id = ${id}`)
  })
  const stopped = await bff.fetch(createNoticeLinks(bff.deps.vault).stopPath(id, 'all'), { method: 'POST' })
  expect(stopped.status).toBe(200)
  const stored = await bff.deps.db.read((tx) =>
    tx.get<{ kinds: string }>(sql`select kinds from notice_channels where id = ${id}`),
  )
  expect(stored?.kinds).toBe('[]')
  const waiting = await bff.deps.db.read((tx) => tx.all(sql`select 1 from notices where channel_id = ${id}`))
  expect(waiting).toEqual([])
  await bff.close()
})
