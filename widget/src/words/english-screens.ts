export const shared = {}
