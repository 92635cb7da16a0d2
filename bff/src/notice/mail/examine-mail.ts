import { bad, type Finding, found, good } from '../../core/finding.ts'
import { type MailSettings, mailFault } from './mail-settings.ts'
import { verifyMail } from './smtp.ts'

/** Connects to the mail server and logs in, as when sending. Sends nothing. */
export async function examineMail(mail: MailSettings): Promise<Finding[]> {
  const subject = `${mail.host}:${mail.port}`
  const missing = mailFault(mail)
  if (missing !== null) return [bad('mail.password', subject, 'the password is missing', 'Set SMTP_PASSWORD.')]
  const fault = await verifyMail(mail)
  if (fault === null) return [good(found('mail.good', mail.from), subject, `takes mail from ${mail.from}`)]
  const fix = 'Check mail.server, SMTP_PASSWORD, and that this machine may connect (many hosts block port 25 and 587).'
  return [bad(found('mail.refused', fault), subject, `no mail can be sent: ${fault}`, fix)]
}
