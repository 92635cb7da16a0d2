/** A file of its own, loaded when the customer taps for it. The build writes its address here. */
export const loadElsewhere = (_attempt: number) => import('./elsewhere.ts')
