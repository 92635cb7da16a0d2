const workerPath = '/dashboard/notices-worker.js'

/** Whether this browser can show notices: it supports push, and the page was loaded by https or from this machine. */
export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window

type Policy = { createScriptURL(url: string): string }
type Policies = { createPolicy(name: string, rules: Policy): Policy }

/** Created once, because the browser refuses a second policy with the same name, and a person may try again. */
let policy: Policy | undefined

/**
 * The page's CSP refuses script URLs given as text, so Trusted Types marks this one as ours. Browsers without Trusted Types accept the
 * text.
 */
function workerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: Policies }
  policy ??= trustedTypes?.createPolicy('notices-worker', { createScriptURL: () => workerPath })
  return policy ? policy.createScriptURL(workerPath) : workerPath
}

/** Asks the person for permission. @returns the subscription to send to the service; null: not allowed. */
export async function subscribeToPush(applicationServerKey: string): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const registration = await navigator.serviceWorker.register(workerUrl(), { scope: '/dashboard/' })
  await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey }
  const subscription = await registration.pushManager.subscribe(options)
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
}
