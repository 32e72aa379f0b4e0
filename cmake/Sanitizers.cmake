# CMB2KUEUE_SANITIZE=address,undefined builds everything with those; a report ends the program.
if(CMB2KUEUE_SANITIZE)
  add_compile_options(-fsanitize=${CMB2KUEUE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CMB2KUEUE_SANITIZE})
endif()
# The fuzz targets steer by what the libraries under them did.
if(CMB2KUEUE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
