/** A file to upload. */
export interface UploadFile {
  readonly name: string;
  readonly contents: Uint8Array<ArrayBuffer> | string;
}

/** The multipart form of an upload route: every file under the documented name `file` (seed 1, Data stores). */
export function uploadForm(files: readonly UploadFile[]): FormData {
  const form = new FormData();
  for (const { name, contents } of files) form.append("file", new Blob([contents]), name);
  return form;
}
