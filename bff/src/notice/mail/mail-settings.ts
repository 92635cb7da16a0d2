import { z } from 'zod'

const loopback = /^(127\.0\.0\.1|localhost|\[::1\])$/

/** Why a text does not name a mail server, as the end of a sentence; undefined when it does. */
function serverFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    return 'must be smtps://user@host or smtp://user@host, with a port if it is not 465 or 587'
  }
  if (url.password !== '') return 'must not contain the password: set SMTP_PASSWORD'
  if (url.search !== '' || url.hash !== '' || !/^\/?$/.test(url.pathname)) return 'must end after the port'
  return undefined
}

const server = z.string().superRefine((text, context) => {
  const message = serverFault(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

/** The longest address that SMTP allows. */
export const addressMax = 254

/** The configuration's `mail`. Without it no mail is sent and none of its code is loaded. */
export const mailSetting = z
  .strictObject({
    server: server.describe(
      '`smtps://` is TLS from the start (port 465), `smtp://` STARTTLS (587). A user’s `@` is written `%40`; the password is `SMTP_PASSWORD`',
    ),
    from: z
      .email('must be one e-mail address such as "shop@example.com"')
      .max(addressMax)
      .describe(
        'the sender’s address; its name is the merchant’s. Set SPF, DKIM and DMARC for its domain, or mails land in spam',
      ),
  })
  .nullable()
  .default(null)
  .describe('[mail](configuration.md#mail): receipts for customers, notices to people')

export type MailSettings = {
  host: string
  port: number
  /** TLS from the first byte. Otherwise STARTTLS, which is required unless the server is on this machine. */
  isTls: boolean
  isLocal: boolean
  /** Null: the server takes mail without a login. */
  login: { user: string; password: string } | null
  from: string
}

const implicitTlsPort = 465
const submissionPort = 587

/** @returns null when no mail is configured. */
export function resolveMail(setting: z.infer<typeof mailSetting>, password: string | undefined): MailSettings | null {
  if (setting === null) return null
  const url = new URL(setting.server)
  const isTls = url.protocol === 'smtps:'
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (isTls ? implicitTlsPort : submissionPort)),
    isTls,
    isLocal: loopback.test(url.hostname),
    login: url.username === '' ? null : { user: decodeURIComponent(url.username), password: password ?? '' },
    from: setting.from,
  }
}

/** Which secret is missing; null when none is. */
export const mailFault = (mail: MailSettings | null): string | null =>
  mail?.login?.password === ''
    ? 'SMTP_PASSWORD (environment, or secretsFile) is required: mail.server names a user'
    : null
