import { accept, type DashboardPage, inviteTo, openPage, signedIn } from '@stablecoin-checkout/rig/dashboard-stage'
import { type AppFixture, openApp } from '@stablecoin-checkout/rig/test-app'
import { afterAll, beforeAll, expect, test } from 'vitest'

let bff: AppFixture
let owner: DashboardPage
let staff: DashboardPage
let foreign: DashboardPage
beforeAll(async () => {
  bff = await openApp()
  owner = await signedIn(bff)
  staff = await signedIn(bff, 'staff', 'Ben')
  foreign = openPage(bff)
  const token = await inviteTo(bff, { merchantId: bff.other.merchantId, role: 'owner', name: 'Eve' })
  expect((await accept(foreign, token)).status).toBe(200)
})
afterAll(() => bff.close())

type Listed = { id: string; person: { name: string } }
const sessionsOf = async (page: DashboardPage) =>
  (await page.ask('GET', '/dashboard/sessions')).body['sessions'] as Listed[]
const namesOf = async (page: DashboardPage) => (await sessionsOf(page)).map(({ person }) => person.name).sort()
const isIn = async (page: DashboardPage) => (await page.ask('GET', '/dashboard/session')).status === 200

test('an owner sees the sessions of its merchant’s people, and everybody else only their own', async () => {
  expect(await namesOf(owner)).toEqual(['Ada', 'Ben'])
  expect(await namesOf(staff)).toEqual(['Ben'])
  expect(await namesOf(foreign)).toEqual(['Eve'])
})

test('nobody can end a session of another merchant’s people, and only owners another person’s', async () => {
  const [owners] = await sessionsOf(owner).then((all) => all.filter(({ person }) => person.name === 'Ada'))
  const [foreigns] = await sessionsOf(foreign)
  const unknown = { status: 404, body: expect.objectContaining({ code: 'NOT_FOUND' }) }
  const end = (page: DashboardPage, id = '') => page.ask('DELETE', `/dashboard/sessions/${id}`)
  expect(await end(owner, foreigns?.id)).toMatchObject(unknown)
  expect(await end(foreign, owners?.id)).toMatchObject(unknown)
  expect(await end(staff, owners?.id)).toMatchObject(unknown)
  expect([await isIn(owner), await isIn(staff), await isIn(foreign)]).toEqual([true, true, true])
})
