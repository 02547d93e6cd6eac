/** Settings for programs that upload. */
export const clients = {
  copy: 'Copy {name}',
  copyCommand: 'Copy command',
  copyUploader: 'Copy custom uploader',
  hints: {
    chevereto: 'For programs that upload through the Chevereto 4 API.',
    cli: 'For scripts: uploads with this token and prints the URL of the image. On your own computer, use “sluice login”, which creates a separate token.',
    curl: 'Prints the URL of the image, or the error. Without the second header, the response is JSON.',
    flameshot:
      'Assign this command to a keyboard shortcut. It copies the URL of the image, or the error. On Wayland, replace the last command with wl-copy.',
    lsky: 'For programs that upload to Lsky Pro 2, such as the plugins for PicGo and Obsidian. Choose version 2.',
    picGo: 'Install the web-uploader plugin, then choose it as the picture bed.',
    picList: 'Choose “Advanced custom” as the picture bed. Leave all other fields empty.',
    shareX:
      'Open the downloaded file and confirm in ShareX. Or copy the text and import it from the clipboard under Destinations → Custom uploader settings.',
    typora:
      'Under Preferences → Image, choose Custom Command as the image uploader. If the Sluice command line is installed, “sluice upload” works too, also on Windows.',
    uPic: 'Add a host of type Custom. Both headers belong under “Other fields”.',
  },
  needsToken: 'Create a token to download this file.',
  program: 'Program',
  settings: 'Client settings',
} as const
