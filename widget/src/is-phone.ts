/** A device whose wallets are apps: their own browsers open a payment by a link. */
export const isPhone = (): boolean => navigator.maxTouchPoints > 1 && matchMedia('(pointer: coarse)').matches
