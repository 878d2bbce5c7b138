/** Preloaded into a measured process: answers its parent's question with what the process has used, all threads together. */
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ cpu_us: user + system, rss: process.memoryUsage.rss() });
});
// Being asked is no reason to stay.
process.channel?.unref();
