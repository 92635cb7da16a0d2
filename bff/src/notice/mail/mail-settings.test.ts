import { openMailServer } from '@stablecoin-checkout/rig/mail-server'
import { describe, expect, test } from 'vitest'
import { examineMail } from './examine-mail.ts'
import { mailFault, mailSetting, resolveMail } from './mail-settings.ts'

const from = 'shop@shop.example'
const resolve = (server: string, password?: string) => resolveMail(mailSetting.parse({ server, from }), password)

describe('the setting mail', () => {
  test('is a server with the usual port, and a user whose password comes from the environment', () => {
    expect(resolve('smtps://shop%40shop.example@smtp.example', 'pw')).toEqual({
      host: 'smtp.example',
      port: 465,
      isTls: true,
      isLocal: false,
      login: { user: 'shop@shop.example', password: 'pw' },
      from,
    })
    expect(resolve('smtp://smtp.example:2525')).toMatchObject({ port: 2525, isTls: false, isLocal: false, login: null })
    expect(resolve('smtp://smtp.example')).toMatchObject({ port: 587 })
    expect(resolve('smtp://[::1]:25')).toMatchObject({ host: '::1', isLocal: true })
    expect(resolveMail(mailSetting.parse(undefined), 'pw')).toBeNull()
  })

  test.each([
    ['smtp://user:pw@smtp.example', /must not contain the password/],
    ['https://smtp.example', /must be smtps:/],
    ['smtp.example', /must be smtps:/],
    ['smtp://smtp.example/path', /must end after the port/],
  ])('refuses %s', (server, message) => {
    expect(mailSetting.safeParse({ server, from }).error?.issues[0]?.message).toMatch(message)
  })

  test.each(['Shop <shop@shop.example>', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: x@y.example'])(
    'refuses %j as the sender',
    (sender) => {
      expect(mailSetting.safeParse({ server: 'smtp://smtp.example', from: sender }).success).toBe(false)
    },
  )

  test('asks for the password of a user', () => {
    expect(mailFault(resolve('smtp://u@smtp.example'))).toContain('SMTP_PASSWORD')
    expect(mailFault(resolve('smtp://u@smtp.example', 'pw'))).toBeNull()
    expect(mailFault(resolve('smtp://smtp.example'))).toBeNull()
  })
})

test('the doctor logs in, and names a server that is down, a wrong password and a missing one', async () => {
  const server = await openMailServer({ user: 'shop', password: 'right' })
  const settings = server.settings(from)
  const wrong = { ...settings, login: { user: 'shop', password: 'wrong' } }
  expect(await examineMail(settings)).toMatchObject([{ state: 'good', subject: `127.0.0.1:${server.port}` }])
  expect(await examineMail(wrong)).toMatchObject([{ state: 'bad', says: 'no mail can be sent: EAUTH 535' }])
  expect(await examineMail({ ...wrong, login: { user: 'shop', password: '' } })).toMatchObject([
    { state: 'bad', fix: 'Set SMTP_PASSWORD.' },
  ])
  expect(server.mails).toEqual([])
  await server.close()
  expect(await examineMail(settings)).toMatchObject([{ state: 'bad', says: expect.stringMatching(/ESOCKET|ECONN/) }])
})
