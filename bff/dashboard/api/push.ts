const workerPath = '/dashboard/notices-worker.js'

/** Whether this browser can show notices: it has a push service, and the page came by https or from this machine. */
export const canPush = (): boolean => 'serviceWorker' in navigator && 'PushManager' in window

type Policy = { createScriptURL(url: string): string }
type Policies = { createPolicy(name: string, rules: Policy): Policy }

/** Made once: the browser refuses a second policy of the name, and who was asked once may try again. */
let policy: Policy | undefined

/** The page's policy refuses scripts by name: this one is ours. Browsers without Trusted Types take the text. */
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
