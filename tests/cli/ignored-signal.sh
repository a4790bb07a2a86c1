# A signal that is ignored when the program starts stays ignored: nohup works.
meadow
mkfifo unread
(trap '' HUP; exec vxbake bake meadow.json -o unread -q) &
job=$!
sleep 0.2
kill -1 $job || fail 'it is gone'
cat unread >a.vxg
wait $job || fail 'the signal was not ignored'
expect 0 vxbake verify a.vxg -q
