/** Fills the form from a file, a drop or the camera, and sends it. What a badge has baked in is read here, so that no picture leaves the device. */
(() => {
  const form = document.querySelector('form');
  const find = (name) => form.querySelector(`[data-${name}]`);
  const [field, input, camera, fault] = [form.credential, find('file'), find('camera'), find('fault')];
  const characters_max = 65_536;
  const bytes_max = 10_000_000;

  const say = (words) => {
    fault.textContent = words;
    fault.hidden = words === '';
  };

  const check = (text) => {
    const address = text.trim();
    if (address.startsWith(`${location.origin}/verify/`)) return location.assign(address);
    if (address.length > characters_max) return say('This is too long to be a credential.');
    field.value = address;
    return form.requestSubmit();
  };

  /** Open Badges 3.0, section 5.3: the text of a chunk of a PNG, or an element of an SVG. */
  const readPicture = async (file) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
    return isPng ? readPng(bytes) : readSvg(new TextDecoder().decode(bytes));
  };

  const readPng = (bytes) => {
    const view = new DataView(bytes.buffer);
    const decode = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
    for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
      const end = at + 8 + view.getUint32(at);
      if (decode(at + 4, at + 8) !== 'iTXt' || end > bytes.length) continue;
      const keyword_end = bytes.indexOf(0, at + 8);
      const isPacked = bytes[keyword_end + 1] !== 0;
      if (decode(at + 8, keyword_end) !== 'openbadgecredential' || isPacked) continue;
      const language_end = bytes.indexOf(0, keyword_end + 3);
      return decode(bytes.indexOf(0, language_end + 1) + 1, end);
    }
    return undefined;
  };

  const readSvg = (text) => {
    if (!text.includes('<svg')) return undefined;
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const [baked] = parsed.getElementsByTagNameNS('*', 'credential');
    return baked && (baked.getAttribute('verify') || baked.textContent);
  };

  const scanPicture = async (source) => {
    if (!('BarcodeDetector' in window)) return undefined;
    const [code] = await new BarcodeDetector({ formats: ['qr_code'] }).detect(source);
    return code?.rawValue;
  };

  const take = async (file) => {
    say('');
    if (file.size > bytes_max) return say('This file is too large.');
    const isPicture = file.type.startsWith('image/');
    try {
      if (!isPicture) return check(await file.text());
      const text = (await readPicture(file)) ?? (await scanPicture(await createImageBitmap(file)));
      return text ? check(text) : say('This picture has no credential in it.');
    } catch {
      return say('This file cannot be read.');
    }
  };

  let stream;
  const stop = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = undefined;
    camera.hidden = true;
  };

  const scan = async () => {
    say('');
    const video = camera.querySelector('video');
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      video.srcObject = stream;
      camera.hidden = false;
      await video.play();
    } catch {
      stop();
      return say('The camera cannot be used. Paste the credential, or choose a file.');
    }
    const scanAgain = async () => {
      if (!stream) return;
      const text = await scanPicture(video).catch(() => undefined);
      if (!text) return setTimeout(scanAgain, 200);
      stop();
      check(text);
    };
    return scanAgain();
  };

  for (const each of form.querySelectorAll('[data-script]')) each.hidden = false;
  const canScan = 'BarcodeDetector' in window && Boolean(navigator.mediaDevices);
  find('scan').hidden = !canScan;
  find('no-scan').hidden = canScan;
  find('scan').addEventListener('click', scan);
  find('stop').addEventListener('click', stop);
  find('choose').addEventListener('click', () => input.click());
  input.addEventListener('change', () => input.files[0] && take(input.files[0]));
  const buildOver = (isOver) => (event) => {
    event.preventDefault();
    form.classList.toggle('over', isOver);
  };
  form.addEventListener('dragover', buildOver(true));
  form.addEventListener('dragleave', buildOver(false));
  form.addEventListener('drop', (event) => {
    buildOver(false)(event);
    const [file] = event.dataTransfer.files;
    if (file) take(file);
    else check(event.dataTransfer.getData('text/plain'));
  });
})();
