import { t } from '../locales/locale.ts'

/**
 * Who made a change: a person's name, or the command line in the reader's language, which the service names in English.
 */
export const doerName = (name: string): string => (name === 'command line' ? t('people.commandLine') : name)
