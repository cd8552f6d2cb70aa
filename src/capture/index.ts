/**
 * The door of the capture layer, free of Node. Files are opened with `openCapture` and `readCaptureFile` of the Node door.
 */

export { consoleView } from './console.ts'
export type { ConsoleViewOptions } from './console.ts'
export type { ConsoleLanguage } from './console-words.ts'
export { CAPTURE_FORMAT, CAPTURE_MAJOR, CAPTURE_MINOR, RECORD_TYPES } from './format.ts'
export type { CaptureHeader, CaptureRecord, RecordType } from './format.ts'
export { maskCapture } from './mask.ts'
export type { MaskOptions } from './mask.ts'
export { captureEvents, readCapture } from './reader.ts'
export type { CaptureItem, Damage, DamageCode, ReadCaptureOptions } from './reader.ts'
export { recorder } from './recorder.ts'
export type { RecorderOptions } from './recorder.ts'
export { createRedactor } from './redact.ts'
export type { Redactor, RedactRules } from './redact.ts'
export type { Redaction } from './redact-hits.ts'
export { redactedSink, redactEvent } from './redact-event.ts'
