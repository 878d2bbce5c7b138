#!/bin/sh
# Starts Ceph with one node in memory and its S3 gateway (radosgw), to try an archive in a storage of another maker. Needs, as root on Debian 12:
#   apt-get install --no-install-recommends ceph-mon ceph-mgr ceph-osd ceph-common radosgw curl uuid-runtime
#
#   test/operating/start-ceph.sh DIRECTORY        prints the variables of the archive; make its bucket with any client that speaks S3
#   pkill 'radosgw|ceph-'                         ends it
set -eu
mkdir -p "$1"
cd "$1"
mkdir mon mgr osd gateway run
cluster=$(uuidgen)
disk=$(uuidgen)
cat >ceph.conf <<END
[global]
fsid = $cluster
keyring = $PWD/keyring
mon host = 127.0.0.1:16789
mon initial members = a
mon allow pool size one = true
mon max pg per osd = 1000
osd pool default size = 1
osd pool default pg num = 8
run dir = $PWD/run
log file = $PWD/run/\$name.log
admin socket = $PWD/run/\$name.asok
pid file = $PWD/run/\$name.pid
[mon.a]
mon data = $PWD/mon
[mgr.x]
mgr data = $PWD/mgr
[osd.0]
osd data = $PWD/osd
osd objectstore = memstore
memstore device bytes = 2147483648
[client.gateway]
rgw data = $PWD/gateway
rgw frontends = beast endpoint=127.0.0.1:17480
END
export CEPH_CONF="$PWD/ceph.conf"
ceph-authtool --create-keyring keyring --gen-key --name mon. --cap mon 'allow *'
for name in client.admin mgr.x osd.0 client.gateway; do
  ceph-authtool keyring --gen-key --name "$name" --cap mon 'allow *' --cap mgr 'allow *' --cap osd 'allow *'
done
monmaptool --create --fsid "$cluster" --add a 127.0.0.1:16789 monmap
ceph-mon --mkfs --id a --monmap monmap --keyring keyring
ceph-mon --id a
ceph auth import --in-file keyring
ceph-mgr --id x
ceph osd new "$disk" 0
ceph-osd --id 0 --mkfs --osd-uuid "$disk"
ceph-osd --id 0
radosgw --name client.gateway
until curl --silent --output /dev/null http://127.0.0.1:17480/; do sleep 1; done
radosgw-admin user create --uid=tessera --display-name=Tessera --access-key=tessera-key --secret-key=tessera-secret >user.json
echo 'TESSERA_ARCHIVE_URL=http://127.0.0.1:17480/BUCKET/FOLDER TESSERA_ARCHIVE_KEY_ID=tessera-key TESSERA_ARCHIVE_SECRET=tessera-secret'
