/** The part of libheif's C interface that `decode-heic.ts` calls; addresses are in the memory of the WASM instance. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.js' {
  export interface Libheif {
    readonly HEAPU8: Uint8Array<ArrayBuffer>
    readonly HEAPU32: Uint32Array
    _malloc(bytes: number): number
    _free(address: number): void
    _heif_context_alloc(): number
    _heif_context_free(context: number): void
    _heif_context_read_from_memory(error: number, context: number, bytes: number, length: number, options: number): void
    _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void
    _heif_image_handle_has_alpha_channel(handle: number): number
    _heif_image_handle_is_premultiplied_alpha(handle: number): number
    _heif_image_handle_release(handle: number): void
    _heif_decoding_options_alloc(): number
    _heif_decode_image(
      error: number,
      handle: number,
      image: number,
      colourSpace: number,
      chroma: number,
      options: number,
    ): void
    _heif_image_get_decoding_warnings(image: number, first: number, warnings: number, count: number): number
    _heif_image_get_width(image: number, channel: number): number
    _heif_image_get_height(image: number, channel: number): number
    _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number
  }

  export default function load(): Libheif
}
